import type { InputHTMLAttributes, VNode } from "preact";
import { siteZone } from "../../../settings/time_zone.ts";
import { Card } from "../../parts/card.tsx";
import { Badge, Notice, type Tone } from "../../parts/notice.tsx";
import { Snippet } from "../../parts/snippet.tsx";
import { Table } from "../../parts/table.tsx";
import { scriptTag } from "../../snippets.ts";
import type { View } from "../../view.ts";
import { describedVisit, type VisitField, visitFields } from "./described_visit.ts";
import { checkPopup, type RuleCheck } from "./popup_checks.ts";

const BADGES: Record<RuleCheck["result"], [Tone, string]> = {
  ok: ["good", "OK"],
  blocks: ["bad", "blocks"],
  depends: ["plain", "depends"],
  holds: ["good", "holds"],
  fails: ["warn", "does not hold"],
};

/**
 * Explains rule by rule whether the popup, or another form that opens by itself, shows to a visitor on a page that the user
 * describes.
 */
export function PopupChecks({ view }: { view: View }): VNode {
  const settings = view.app.settings.current();
  const names = settings.forms.forms.filter(({ opens }) => opens).map(({ name }) => name);
  const name = names.find((each) => each === view.query.get("for"));
  const zone = siteZone(settings);
  const fields = visitFields(view.query, view.now, zone);
  const described = describedVisit(fields, view.now, zone);
  const checks = described && checkPopup(settings, described, name);
  const invalid = fields.address !== "" && !described;
  return (
    <Card
      id="why"
      title={names.length === 0 ? "Why isn't my popup showing?" : "Why isn't it showing?"}
      lead={`Checks the saved rules for one page and a visitor who has not seen the ${
        names.length === 0 ? "popup" : "popup or form"
      } yet. If you have changed something on this page, save it first.`}
    >
      <form class="form visit" method="get" action={view.href("/popup#why")}>
        {names.length > 0 && (
          <div class="field">
            <label for="check-for">Form</label>
            <select id="check-for" name="for">
              <option value="" selected={name === undefined}>Popup</option>
              {names.map((each) => <option key={each} value={each} selected={each === name}>{each}</option>)}
            </select>
          </div>
        )}
        <div class="field">
          <label for="address">Page URL</label>
          <input
            id="address"
            name="address"
            type="url"
            required
            value={fields.address}
            placeholder="https://shop.example/blog"
            aria-describedby="address-error"
            aria-invalid={invalid ? "true" : undefined}
          />
          <p class="error" id="address-error">
            {invalid && "Enter a full URL, for example https://shop.example/blog."}
          </p>
        </div>
        <VisitorFields fields={fields} zone={zone} />
        <div class="buttons">
          <button type="submit">Check</button>
        </div>
      </form>
      {checks && <Results checks={checks} name={name} script={scriptTag(view.app.config.baseUrl)} />}
    </Card>
  );
}

/** The fields that describe the visitor. */
function VisitorFields({ fields, zone }: { fields: Record<VisitField, string>; zone: string }): VNode {
  const field = (name: VisitField, label: string, attributes: InputHTMLAttributes<HTMLInputElement>) => (
    <div class="field">
      <label for={`visit-${name}`}>{label}</label>
      <input {...attributes} id={`visit-${name}`} name={name} value={fields[name]} autocomplete="off" />
    </div>
  );
  return (
    <div class="filters">
      {field("width", "Window width (px)", { type: "number", min: 1, max: 100_000 })}
      {field("language", "Browser language", { type: "text", spellcheck: false, maxLength: 35 })}
      {field("referrer", "Linking site", { type: "text", spellcheck: false, placeholder: "google.com" })}
      <div class="field">
        <label for="visit-visitor">Visitor</label>
        <select id="visit-visitor" name="visitor">
          <option value="new" selected={fields.visitor !== "returning"}>New</option>
          <option value="returning" selected={fields.visitor === "returning"}>Returning</option>
        </select>
      </div>
      {field("pages", "Pages in this session", { type: "number", min: 1, max: 1000 })}
      {field("time", `Date and time (${zone})`, { type: "datetime-local" })}
      {field("total", "Cart total", { type: "number", min: 0, step: "any" })}
      {field("item", "Cart item", { type: "text", spellcheck: false })}
    </div>
  );
}

function Results(
  { checks, name, script }: { checks: RuleCheck[]; name: string | undefined; script: string },
): VNode {
  const it = name === undefined ? "the popup" : `the form ${name}`;
  const blocking = checks.filter(({ result }) => result === "blocks").length;
  return (
    <div class="checks">
      {blocking > 0 && (
        <Notice kind="bad">
          {`${it[0]!.toUpperCase()}${it.slice(1)} does not show to this visitor: ${
            blocking === 1 ? "one rule blocks" : `${blocking} rules block`
          } it.`}
        </Notice>
      )}
      <Notice kind="plain">
        cfbe cannot see your page from here. Check that its HTML has the script. For rules that depend on the
        browser, run <code>cfbe.why({name && JSON.stringify(name)})</code>{" "}
        in the browser console of that page.
      </Notice>
      <Snippet id="snippet-why-script" label="The script that the page needs">{script}</Snippet>
      {blocking === 0 && <Notice kind="good">No rule blocks {it} for this visitor.</Notice>}
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
