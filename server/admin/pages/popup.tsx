import { TAB_TITLES } from "../../settings/tabs.ts";
import type { VNode } from "preact";
import type { Page } from "../page.ts";
import { Card } from "../parts/card.tsx";
import { AreaField, NumberField, SelectField, SwitchField, TextField } from "../parts/field.tsx";
import { SettingsForm } from "../parts/form.tsx";
import { Badge, Notice, type Tone } from "../parts/notice.tsx";
import { Preview, Snippet } from "../parts/preview.tsx";
import { Table } from "../parts/table.tsx";
import { type RuleAnswer, whyNoPopup } from "../popup_why.ts";
import type { View } from "../view.ts";
import { listOptions } from "./general.tsx";

export const popupPage: Page = {
  path: "/popup",
  title: TAB_TITLES.popup,
  lead: "A dialog that shows itself once, when nothing else wants the visitor's attention.",
  group: "Collect",
  capability: "view",
  render(view) {
    return (
      <>
        <SettingsForm view={view} tab="popup">
          <Card title="Popup">
            <SwitchField
              path="fields.enabled"
              label="Let it show itself"
              help="Off, it opens only where a page's own button asks for it (data-cfbe-open)."
            />
            <SelectField path="fields.list" label="List" options={listOptions(view, "The default list")} />
            <TextField
              path="fields.heading"
              label="Heading"
              optional
              help="Empty: the one of the Texts page."
            />
            <AreaField path="fields.text" label="Text" optional rows={2} />
          </Card>
          <Card title="When" lead="With the first of these that happens; with none, at once.">
            <NumberField
              path="fields.triggers.delaySeconds"
              label="After"
              unit="seconds in sight; 0 is never"
              min={0}
              max={3600}
            />
            <NumberField
              path="fields.triggers.scrollPercent"
              label="After scrolling"
              unit="percent; 0 is never"
              min={0}
              max={100}
            />
            <SwitchField
              path="fields.triggers.exitIntent"
              label="When the pointer leaves the page upwards"
              help="Phones have no pointer: there this never happens."
            />
          </Card>
          <Card title="When not">
            <NumberField
              path="fields.hideDays"
              label="After it was closed, stay away for"
              unit="days"
              min={1}
              max={3650}
            />
            <AreaField
              path="fields.excludePaths"
              label="Paths to stay away from"
              list
              help={
                <>
                  One a line. <code>/blog</code> is that path and all below, <code>/</code>{" "}
                  the first page alone, <code>thanks</code> any path with that part, <code>*</code>{" "}
                  any one part. Cart, checkout and account are always kept free.
                </>
              }
            />
            <TextField
              path="fields.cookieBarSelector"
              label="Cookie bar"
              spellcheck={false}
              autocomplete="off"
              placeholder="#cookie-bar"
              help="A CSS selector: it waits while such an element can be seen."
            />
          </Card>
        </SettingsForm>
        <Card id="preview" title="Preview" lead="As it is saved. What is sent there goes nowhere.">
          <Preview view={view} popup />
          <Snippet id="snippet-open" label="A button of your own that opens it, also while it is off">
            {'<button type="button" data-cfbe-open>Newsletter</button>'}
          </Snippet>
        </Card>
        <Why view={view} />
      </>
    );
  },
};

const TONES: Record<RuleAnswer["answer"], [Tone, string]> = {
  fine: ["good", "in order"],
  holds: ["bad", "holds it back"],
  depends: ["plain", "depends"],
};

function Why({ view }: { view: View }): VNode {
  const address = view.query.get("address") ?? "";
  const answers = address === "" ? undefined : whyNoPopup(view.app.settings.current(), address, view.now);
  const held = answers?.filter(({ answer }) => answer === "holds").length ?? 0;
  return (
    <Card
      id="why"
      title="Why does it not show?"
      lead="Every rule, asked about one address now, for somebody who comes for the first time."
    >
      <form class="form" method="get" action={view.href("/popup#why")}>
        <div class="field">
          <label for="address">Address of the page</label>
          <div class="line">
            <input
              id="address"
              name="address"
              type="url"
              required
              value={address}
              placeholder="https://shop.example/blog"
              aria-describedby="address-error"
              aria-invalid={address !== "" && !answers ? "true" : undefined}
            />
            <button type="submit">Ask</button>
          </div>
          <p class="error" id="address-error">
            {address !== "" && !answers && "Must be a whole address, like https://shop.example/blog."}
          </p>
        </div>
      </form>
      {answers && (
        <div class="answers">
          <Notice kind={held > 0 ? "bad" : "good"}>
            {held > 0
              ? `It does not show there: ${held === 1 ? "one rule holds" : `${held} rules hold`} it back.`
              : "Nothing that can be seen from here holds it back. On the page itself, cfbe.why() in the console tells the rest."}
          </Notice>
          <Table
            caption="Rules of the popup"
            rows={answers}
            keyOf={({ rule }) => rule}
            columns={[
              { title: "Rule", cell: ({ rule }) => rule },
              {
                title: "Answer",
                cell: ({ answer }) => <Badge kind={TONES[answer][0]}>{TONES[answer][1]}</Badge>,
              },
              { title: "Why", cell: ({ says }) => says },
            ]}
          />
        </div>
      )}
    </Card>
  );
}
