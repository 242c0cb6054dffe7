import { TAB_TITLES } from "../../../settings/tabs.ts";
import type { VNode } from "preact";
import type { Page } from "../../page.ts";
import { Card } from "../../parts/card.tsx";
import { AreaField, NumberField, SelectField, SwitchField, TextField } from "../../parts/field.tsx";
import { SettingsForm } from "../../parts/form.tsx";
import { Badge, Notice, type Tone } from "../../parts/notice.tsx";
import { Preview, Snippet } from "../../parts/preview.tsx";
import { Table } from "../../parts/table.tsx";
import { checkPopup, type RuleCheck } from "./popup_checks.ts";
import type { View } from "../../view.ts";
import { listOptions } from "../list_options.ts";
import { languageOf, Languages } from "./languages.tsx";
import { OwnValues } from "./own_values.tsx";
import { Translation, TRANSLATION_FORM } from "./translation.tsx";

const POPUP_FORM = "save_popup";

export const popupPage: Page = {
  path: "/popup",
  title: TAB_TITLES.popup,
  lead: "A dialog that appears once per visit, when nothing else is open.",
  parent: "/forms",
  capability: "view",
  render(view) {
    const { locales } = view.app.settings.current().form;
    const locale = languageOf(view);
    return (
      <>
        <Languages view={view} changed={(each) => locales[each]?.popup !== undefined} />
        <div class="beside">
          <div>
            {locale === ""
              ? <PopupSettings view={view} />
              : <Translation view={view} id={{ popup: true }} locale={locale} />}
          </div>
          <Card
            id="preview"
            title="Preview"
            lead="Shows changes when you open it, even unsaved ones. Submissions in the preview are discarded."
          >
            <Preview
              view={view}
              form={{ popup: true }}
              locale={locale}
              source={locale === "" ? POPUP_FORM : TRANSLATION_FORM}
            />
          </Card>
        </div>
        <Card id="embed" title="Embed">
          <Snippet
            id="snippet-open"
            label="Your own button that opens the popup, even when “Show automatically” is off"
          >
            {'<button type="button" data-cfbe-open>Newsletter</button>'}
          </Snippet>
        </Card>
        <Checks view={view} />
      </>
    );
  },
};

function PopupSettings({ view }: { view: View }): VNode {
  return (
    <SettingsForm view={view} tab="popup">
      <Card title="Popup">
        <SwitchField
          path="fields.enabled"
          label="Show automatically"
          help={
            <>
              When off, the popup opens only from your own button (<code>data-cfbe-open</code>).
            </>
          }
        />
        <SelectField path="fields.list" label="List" options={listOptions(view, "Default list")} />
      </Card>
      <OwnValues view={view} id={{ popup: true }} />
      <Card
        title="Trigger"
        lead="The popup opens on whichever happens first, or immediately if none is set."
      >
        <NumberField
          path="fields.triggers.delaySeconds"
          label="After"
          unit="seconds on the page (0 = off)"
          min={0}
          max={3600}
        />
        <NumberField
          path="fields.triggers.scrollPercent"
          label="After scrolling"
          unit="percent (0 = off)"
          min={0}
          max={100}
        />
        <SwitchField
          path="fields.triggers.exitIntent"
          label="On exit intent"
          help="When the pointer leaves through the top of the page. Not available on phones."
        />
      </Card>
      <Card title="Exclusions">
        <NumberField
          path="fields.hideDays"
          label="Don't show again after closing for"
          unit="days"
          min={1}
          max={3650}
        />
        <AreaField
          path="fields.excludePaths"
          label="Excluded paths"
          list
          help={
            <>
              One per line. <code>/blog</code> matches that path and everything below it; <code>/</code>{"  "}
              only the home page; <code>thanks</code> any path containing that segment; <code>*</code>{"  "}
              any single segment. Cart, checkout and account pages are always excluded.
            </>
          }
        />
        <TextField
          path="fields.cookieBarSelector"
          label="Cookie banner selector"
          spellcheck={false}
          autocomplete="off"
          placeholder="#cookie-bar"
          help="A CSS selector. The popup waits while a matching element is visible."
        />
      </Card>
    </SettingsForm>
  );
}

const TONES: Record<RuleCheck["result"], [Tone, string]> = {
  ok: ["good", "OK"],
  blocks: ["bad", "blocks"],
  depends: ["plain", "depends"],
};

function Checks({ view }: { view: View }): VNode {
  const url = view.query.get("address") ?? "";
  const checks = url === "" ? undefined : checkPopup(view.app.settings.current(), url, view.now);
  const blocking = checks?.filter(({ result }) => result === "blocks").length ?? 0;
  return (
    <Card
      id="why"
      title="Why isn't my popup showing?"
      lead="Checks every rule for one page, as a first-time visitor."
    >
      <form class="form" method="get" action={view.href("/popup#why")}>
        <div class="field">
          <label for="address">Page URL</label>
          <div class="line">
            <input
              id="address"
              name="address"
              type="url"
              required
              value={url}
              placeholder="https://shop.example/blog"
              aria-describedby="address-error"
              aria-invalid={url !== "" && !checks ? "true" : undefined}
            />
            <button type="submit">Check</button>
          </div>
          <p class="error" id="address-error">
            {url !== "" && !checks && "Enter a full URL, for example https://shop.example/blog."}
          </p>
        </div>
      </form>
      {checks && (
        <div class="checks">
          <Notice kind={blocking > 0 ? "bad" : "good"}>
            {blocking > 0
              ? `The popup does not show on this page: ${
                blocking === 1 ? "one rule blocks" : `${blocking} rules block`
              } it.`
              : (
                <>
                  No rule blocks the popup on this page. For rules that depend on the visitor, run{" "}
                  <code>cfbe.why()</code> in the browser console.
                </>
              )}
          </Notice>
          <Table
            caption="Popup rules"
            rows={checks}
            keyOf={({ rule }) => rule}
            columns={[
              { title: "Rule", cell: ({ rule }) => rule },
              {
                title: "Result",
                cell: ({ result }) => <Badge kind={TONES[result][0]}>{TONES[result][1]}</Badge>,
              },
              { title: "Explanation", cell: ({ explanation }) => explanation },
            ]}
          />
        </div>
      )}
    </Card>
  );
}
