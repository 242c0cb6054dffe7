import type { VNode } from "preact";
import { POPUP } from "../../../settings/forms/all_forms.ts";
import { siteZone } from "../../../settings/schema/time_zone.ts";
import { Card } from "../../parts/card.tsx";
import { Notice } from "../../parts/notice.tsx";
import type { View } from "../../frame/view.ts";
import { CheckResults } from "./check_results.tsx";
import { PRESETS } from "./described_visit.ts";
import type { FormCheck } from "./form_check.ts";
import { MoreVisitorFields, PageFields, VisitorFields } from "./visit_fields.tsx";

/**
 * Explains rule by rule whether a form shows to a visitor on a page that the user describes. Its fields and its buttons belong to the form with the rules, which they send without saving it.
 */
export function PopupChecks({ view, name, check, source }: {
  view: View<"activation" | "acceptsSignups">;
  name: string;
  check: FormCheck;
  /** ID of the form on the page that has the rules. */
  source: string;
}): VNode {
  const { fields, invalid, unreadable, result, settings, asked } = check;
  const props = { fields, source, asked };
  const presets = Object.entries(PRESETS).filter(([, { needs }]) => asked.fields.has(needs));
  return (
    <Card
      id="why"
      title={name === POPUP ? "Why isn't my popup showing?" : "Why isn't it showing?"}
      lead="Checks the rules on this page, saved or not, for a page and a visitor that you describe. Saves nothing."
    >
      {unreadable && (
        <Notice kind="warn">This link has expired or is not valid. Describe the visit again.</Notice>
      )}
      <div class="form visit" data-enter="check-rules">
        <div class="field">
          <label for="visit-address">Page URL or path</label>
          <input
            id="visit-address"
            name="visit.address"
            form={source}
            type="text"
            inputmode="url"
            autocomplete="off"
            spellcheck={false}
            value={fields.address}
            placeholder="https://shop.example/blog"
            aria-describedby="visit-address-error"
            aria-invalid={invalid ? "true" : undefined}
            autofocus={invalid && !view.posted?.failure}
          />
          <p class="error" id="visit-address-error">
            {invalid &&
              "Enter a URL, for example https://shop.example/blog, or a path of your site, such as /blog."}
          </p>
        </div>
        <VisitorFields {...props} />
        <MoreVisitorFields {...props} zone={siteZone(settings)} />
        <PageFields {...props} />
        <div class="buttons">
          <button type="submit" id="check-rules" name="_check" value="true" form={source} formnovalidate>
            Check
          </button>
        </div>
        {presets.length > 0 && (
          <>
            <p class="help" id="typical-visitors">Or check for a typical visitor:</p>
            <div class="buttons" role="group" aria-labelledby="typical-visitors">
              {presets.map(([preset, { label }]) => (
                <button key={preset} type="submit" name="_check" value={preset} form={source} formnovalidate>
                  {label}
                </button>
              ))}
            </div>
          </>
        )}
      </div>
      {result && <CheckResults view={view} check={{ ...check, result }} name={name} />}
    </Card>
  );
}
