import { TAB_TITLES } from "../../../settings/tabs.ts";
import type { VNode } from "preact";
import type { Page } from "../../page.ts";
import { Card } from "../../parts/card.tsx";
import { AreaField, NumberField, SelectField, SwitchField, TextField } from "../../parts/field.tsx";
import { SettingsForm } from "../../parts/form.tsx";
import { LivePreview } from "../../parts/preview.tsx";
import { Snippet } from "../../parts/snippet.tsx";
import { scriptTag } from "../../snippets.ts";
import type { View } from "../../view.ts";
import { listOptions } from "../list_options.ts";
import { Design } from "./design.tsx";
import { ExperimentCard } from "./experiment_card.tsx";
import { languageOf, Languages } from "./languages.tsx";
import { OwnValues } from "./own_values.tsx";
import { ScheduleFields } from "./status.tsx";
import { PopupChecks } from "./popup_check_form.tsx";
import { TargetingList } from "./targeting.tsx";
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
        <p class="to-preview">
          <a href="#preview">Go to the preview</a>
        </p>
        <div class="beside">
          <div>
            {locale === ""
              ? <PopupSettings view={view} />
              : <Translation view={view} id={{ popup: true }} locale={locale} />}
          </div>
          <Card
            id="preview"
            title="Preview"
            lead="Shows changes as you type. Submissions in the preview are discarded."
          >
            <LivePreview
              view={view}
              form={{ popup: true }}
              locale={locale}
              source={locale === "" ? POPUP_FORM : TRANSLATION_FORM}
            />
          </Card>
        </div>
        <Card
          id="embed"
          title="Embed"
          lead="The popup shows on pages that have the script. A page with an embedded form already has it."
        >
          <Snippet id="snippet-script" label="Script for every page with the popup">
            {scriptTag(view.app.config.baseUrl)}
          </Snippet>
          <Snippet
            id="snippet-open"
            label="Optional: your own button that opens the popup, even when “Show automatically” is off"
          >
            {'<button type="button" data-cfbe-open>Newsletter</button>'}
          </Snippet>
        </Card>
        <ExperimentCard view={view} id={{ popup: true }} />
        <PopupChecks view={view} />
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
        <ScheduleFields view={view} />
        <SelectField path="fields.list" label="List" options={listOptions(view, "Default list")} />
      </Card>
      <OwnValues view={view} id={{ popup: true }} />
      <Design view={view} id={{ popup: true }} />
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
      <Card
        title="Targeting"
        lead="The pages and visitors that the popup is meant for. The rules for exclusions, dialogs and repeated visits apply in addition."
      >
        <TargetingList path="fields.targeting" />
      </Card>
      <Card title="Exclusions">
        <NumberField
          path="fields.hideDays"
          label="Don't show again after closing for"
          unit="days"
          min={1}
          max={3650}
        />
        <NumberField
          path="fields.quietHours"
          label="Quiet period"
          unit="hours (0 = none)"
          min={0}
          max={8760}
          help="After a visitor closed the popup or another form that opens by itself, none of them opens by itself for this long."
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
