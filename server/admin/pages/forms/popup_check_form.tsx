import type { ComponentChildren, InputHTMLAttributes, VNode } from "preact";
import { siteZone } from "../../../settings/time_zone.ts";
import { Card } from "../../parts/card.tsx";
import { Badge, Notice, type Tone } from "../../parts/notice.tsx";
import { Snippet } from "../../parts/snippet.tsx";
import { Table } from "../../parts/table.tsx";
import { scriptTag } from "../../snippets.ts";
import { at, type Posted } from "../../ajax_body.ts";
import type { View } from "../../view.ts";
import type { Settings } from "../../../settings/schema.ts";
import { type DescribedVisit, describedVisit, type VisitField, visitFields } from "./described_visit.ts";
import { checkPlaced } from "./placed_checks.ts";
import { checkPopup } from "./popup_checks.ts";
import type { RuleCheck } from "./rule_checks.ts";

const BADGES: Record<RuleCheck["result"], [Tone, string]> = {
  ok: ["good", "OK"],
  blocks: ["bad", "blocks"],
  depends: ["plain", "depends"],
  holds: ["good", "holds"],
  fails: ["warn", "does not hold"],
};

/**
 * Explains rule by rule whether the popup or another form shows to a visitor on a page that the user describes. Its fields and its button belong to the form with the rules, which they send without saving it.
 */
export function PopupChecks({ view, name, action, source }: {
  view: View;
  /** The form; undefined for the popup. */
  name?: string;
  /** The action that saves the rules. */
  action: string;
  /** ID of the form on the page that has the rules. */
  source: string;
}): VNode {
  const { posted } = view;
  const zone = siteZone(view.app.settings.current());
  const fields = visitFields(
    { get: (field) => posted?.action === action ? sentField(posted, field) : null },
    view.now,
    zone,
  );
  const described = describedVisit(fields, view.now, zone);
  const checks = posted?.checked && described && checkForm(posted.checked.settings, described, name);
  const invalid = posted?.check === true && !described;
  return (
    <Card
      id="why"
      title={name === undefined ? "Why isn't my popup showing?" : "Why isn't it showing?"}
      lead={`Checks the rules as they are on this page, saved or not, for one page and a visitor who has not seen the ${
        name === undefined ? "popup" : "form"
      } yet. Saves nothing.`}
    >
      <div class="form visit" data-enter="check-rules">
        <div class="field">
          <label for="visit-address">Page URL</label>
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
            autofocus={invalid && !posted.failure}
          />
          <p class="error" id="visit-address-error">
            {invalid && "Enter a full URL, for example https://shop.example/blog."}
          </p>
        </div>
        <VisitorFields fields={fields} zone={zone} source={source} />
        <div class="buttons">
          <button type="submit" id="check-rules" name="_check" value="true" form={source} formnovalidate>
            Check
          </button>
        </div>
      </div>
      {checks && <Results checks={checks} name={name} script={scriptTag(view.app.config.baseUrl)} />}
    </Card>
  );
}

function checkForm(settings: Settings, described: DescribedVisit, name: string | undefined): RuleCheck[] {
  const form = settings.forms.forms.find((form) => form.name === name);
  return form && !form.opens ? checkPlaced(settings, described, form) : checkPopup(settings, described, name);
}

function sentField({ input }: Posted, field: string): string | null {
  const value = at(input, `visit.${field}`);
  return typeof value === "string" ? value : null;
}

/** The fields that describe the visitor. */
function VisitorFields(
  { fields, zone, source }: { fields: Record<VisitField, string>; zone: string; source: string },
): VNode {
  const field = (name: VisitField, label: string, attributes: InputHTMLAttributes<HTMLInputElement>) => (
    <div class="field">
      <label for={`visit-${name}`}>{label}</label>
      <input
        {...attributes}
        id={`visit-${name}`}
        name={`visit.${name}`}
        form={source}
        value={fields[name]}
        autocomplete="off"
      />
    </div>
  );
  return (
    <div class="filters">
      {field("width", "Window width (px)", { type: "number", step: "any" })}
      {field("language", "Browser language", { type: "text", spellcheck: false, maxLength: 35 })}
      {field("referrer", "Linking site", { type: "text", spellcheck: false, placeholder: "google.com" })}
      <div class="field">
        <label for="visit-visitor">Visitor</label>
        <select id="visit-visitor" name="visit.visitor" form={source}>
          <option value="new" selected={fields.visitor !== "returning"}>New</option>
          <option value="returning" selected={fields.visitor === "returning"}>Returning</option>
        </select>
      </div>
      {field("pages", "Pages in this session", { type: "number", step: "any" })}
      {field("time", `Date and time (${zone})`, { type: "datetime-local" })}
      {field("total", "Cart total", { type: "number", step: "any" })}
      {field("item", "Cart item", { type: "text", spellcheck: false })}
    </div>
  );
}

function Results(
  { checks, name, script }: { checks: RuleCheck[]; name: string | undefined; script: string },
): VNode {
  const it = name === undefined ? "the popup" : `the form ${name}`;
  const reasons = checks.flatMap(({ reason }) => reason ?? []);
  return (
    <div class="checks">
      {reasons.length > 0 && <Headline kind="bad">{`Not shown: ${reasons.join("; ")}.`}</Headline>}
      <Notice kind="plain">
        cfbe cannot see your page from here. Check that its HTML has the script. For rules that depend on the
        browser, run <code>cfbe.why({name && JSON.stringify(name)})</code>{" "}
        in the browser console of that page.
      </Notice>
      <Snippet id="snippet-why-script" label="The script that the page needs">{script}</Snippet>
      {reasons.length === 0 && <Headline kind="good">No rule blocks {it} for this visitor.</Headline>}
      <Table
        caption="Rules"
        rows={checks}
        keyOf={({ rule }) => rule}
        columns={[
          { title: "Rule", cell: ({ rule }) => rule },
          {
            title: "Result",
            cell: ({ result }) => <Badge kind={BADGES[result][0]}>{BADGES[result][1]}</Badge>,
          },
          { title: "Explanation", cell: ({ explanation }) => explanation },
        ]}
      />
    </div>
  );
}

/** The result, which takes the focus. */
function Headline({ kind, children }: { kind: Tone; children: ComponentChildren }): VNode {
  return (
    <div tabIndex={-1} autofocus>
      <Notice kind={kind}>{children}</Notice>
    </div>
  );
}
