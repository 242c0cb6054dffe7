import { POPUP } from "../../../settings/forms/all_forms.ts";
import { capitalized } from "../../../platform/words/capitalized.ts";
import { docPage } from "../../../platform/words/doc_page.ts";
import type { VNode } from "preact";
import { Badge, Notice, type Tone } from "../../parts/notice.tsx";
import { Snippet } from "../../parts/snippet.tsx";
import { Table } from "../../parts/table.tsx";
import { scriptTag } from "../snippets.ts";
import type { View } from "../../frame/view.ts";
import type { CheckedUse } from "./checked_uses.ts";
import type { FormCheck } from "./form_check.ts";
import { type RuleCheck, siteMoment } from "./rule_checks.ts";

const BADGES: Record<RuleCheck["result"], [Tone, string]> = {
  ok: ["good", "OK"],
  blocks: ["bad", "blocks"],
  holds: ["good", "holds"],
  fails: ["warn", "does not hold"],
};

const USES: Record<CheckedUse["use"], string> = {
  opens: "When it opens by itself",
  placed: "Where the page has it",
};

/** The result of a check: first whether the form shows, then each rule, and what cfbe cannot see. */
export function CheckResults({ view, check, name }: {
  view: View<"activation" | "acceptsSignups">;
  check: FormCheck & { result: NonNullable<FormCheck["result"]> };
  name: string;
}): VNode {
  const { uses, unsaved, link } = check.result;
  return (
    <div class="checks">
      {uses.map((use, index) => (
        <Use key={use.use} use={use} check={check} isFirst={index === 0} isOnly={uses.length === 1} />
      ))}
      {!view.app.acceptsSignups() && <NoSignups view={view} />}
      <AlsoCheck view={view} name={name} />
      <Snippet id="snippet-why-link" label="Link to this result, for everyone who can sign in here">
        {link}
      </Snippet>
      {unsaved && (
        <p class="help">The link checks the saved rules. The result above is that of the unsaved ones.</p>
      )}
    </div>
  );
}

function Use({ use: { use, checks, again }, check, isFirst, isOnly }: {
  use: CheckedUse;
  check: FormCheck;
  isFirst: boolean;
  isOnly: boolean;
}): VNode {
  const [reason, ...more] = checks.flatMap(({ reason }) => reason ?? []);
  const blocking = checks.filter(({ rule, result }) =>
    result === "blocks" || targetingBlocks(checks) && rule.startsWith("Group ")
  );
  const others = checks.filter((each) => !blocking.includes(each));
  const title = isOnly ? "Result" : USES[use];
  const trigger = checks.find(({ rule }) => rule === "Trigger");
  const notes = checks.flatMap(({ note }) => note ?? []);
  return (
    <>
      {!isOnly && <h3>{USES[use]}</h3>}
      <div tabIndex={isFirst ? -1 : undefined} autofocus={isFirst}>
        <Notice kind={reason !== undefined ? "bad" : notes.length > 0 ? "warn" : "good"}>
          {reason === undefined
            ? [
              notes.length > 0 ? "It shows, unless another form opens first." : "It shows.",
              trigger?.explanation,
              ...notes,
            ].filter(Boolean).join(" ")
            : (
              <>
                It does not show: {reason}.
                {more.length > 0 && ` Also: ${more.join("; ")}.`}
                {again !== undefined &&
                  ` For this visitor, it would show from ${siteMoment(check.settings, again)}.`}
              </>
            )}
        </Notice>
      </div>
      {blocking.length > 0 && <Rules caption={`${title}: rules that block`} checks={blocking} />}
      <details>
        <summary>{blocking.length > 0 ? "Rules that do not block" : "Every rule"} ({others.length})</summary>
        <Rules caption={`${title}: rules that do not block`} checks={others} />
      </details>
    </>
  );
}

/** The conditions belong to the targeting. */
const targetingBlocks = (checks: RuleCheck[]): boolean =>
  checks.some(({ rule, result }) => rule === "Targeting" && result === "blocks");

function Rules({ caption, checks }: { caption: string; checks: RuleCheck[] }): VNode {
  return (
    <Table
      caption={caption}
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
  );
}

function NoSignups({ view }: { view: View<"activation"> }): VNode {
  return (
    <Notice kind="warn">
      {view.app.activation.isActive()
        ? "cfbe has no provider yet, so pages show the form, but every signup gets an error. Finish the setup."
        : (
          <>
            cfbe is deactivated. Pages still show the form, but every signup gets an error. Activate cfbe on
            the <a href={view.href("/jobs")}>Jobs page</a>.
          </>
        )}
    </Notice>
  );
}

/** What cfbe cannot see from here, and how to find out. */
function AlsoCheck({ view, name }: { view: View; name: string }): VNode {
  return (
    <>
      <h3>Also check</h3>
      <p>cfbe cannot see your page from here.</p>
      <ul class="causes">
        <li>The page's HTML has the script, below. Use “View page source”.</li>
        <li>
          A cached copy of the page may be of any age, as long as it has the script: changes of the rules
          reach it within a minute. A copy from before you added the script does not have it. Clear that
          cache.
        </li>
        <li>
          The browser's console shows no error. An ad blocker, a Content Security Policy, a consent tool that
          holds back scripts, or an error of another script can stop cfbe.
        </li>
        <li>
          <code>cfbe.why({name !== POPUP && JSON.stringify(name)})</code>{" "}
          in the browser's console lists what blocks the form in that browser at that moment. It is empty if
          nothing does.
        </li>
        <li>
          A private window has seen no form before. Use it to see what a new visitor sees.
        </li>
      </ul>
      <p class="help">
        {capitalized(docPage("test-your-page"))} explains each of these, step by step.
      </p>
      <Snippet id="snippet-why-script" label="The script that the page needs">
        {scriptTag(view.app.config.baseUrl)}
      </Snippet>
    </>
  );
}
