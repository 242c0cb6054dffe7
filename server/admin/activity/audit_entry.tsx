import type { ComponentChildren, VNode } from "preact";
import type { AuditChange } from "../../platform/audit/changes.ts";
import { type AuditResult, HOUR_MS } from "../../platform/audit/row.ts";
import type { ShownAuditRow } from "../../platform/audit/search.ts";
import { Entry } from "../parts/entry.tsx";
import { Badge, type Tone } from "../parts/notice.tsx";
import { Moment } from "../parts/site_time.tsx";
import { type AuditTitles, isFailedSignIn } from "./audit_titles.ts";
import { ChangeTable, shownValue } from "../parts/change_table.tsx";
import { settingTitle } from "../frame/setting_title.ts";

/** Results as the log shows them. A process that died during an action left it `started`. */
export const RESULT_TITLES: Readonly<Record<AuditResult, string>> = {
  done: "done",
  refused: "refused",
  failed: "failed",
  started: "not finished",
};

const TONES: Record<AuditResult, Tone> = { done: "good", started: "warn", refused: "warn", failed: "bad" };
/** Enough characters of an HMAC to tell two subjects apart. */
const HMAC_CHARACTERS = 12;

/** An entry of the audit log: one line, with its details folded. @param userOf returns the user with a target, if any */
export function AuditEntry(
  { row, titles, userOf }: {
    row: ShownAuditRow;
    titles: AuditTitles;
    userOf: (target: string) => string | undefined;
  },
): VNode {
  const { who, result, count, at, changes = [] } = row;
  const user = row.target && userOf(row.target);
  return (
    <Entry
      title={<>{titles.of(row)}{count !== undefined && count > 1 && ` (${count.toLocaleString("en")})`}</>}
      note={[user, summaryOf(row)].filter(Boolean).join(" · ")}
      who={who}
      time={<Moment at={at} short />}
      badge={result !== "done" && !isFailedSignIn(row) && (
        <Badge kind={TONES[result]}>{RESULT_TITLES[result]}</Badge>
      )}
    >
      <Facts row={row} user={user} />
      {changes.length > 0 && <Changes changes={changes} others={row.otherChanges ?? 0} />}
    </Entry>
  );
}

function Facts({ row, user }: { row: ShownAuditRow; user: string | undefined }): VNode {
  const { at, who, action, result, ip, device, target, count } = row;
  return (
    <dl class="facts">
      <Fact name="User">{who}</Fact>
      <Fact name="Time">
        <Moment at={at} />
        {count !== undefined && (
          <>
            {" to "}
            <Moment at={at + HOUR_MS} />, {count.toLocaleString("en")} in total
          </>
        )}
      </Fact>
      <Fact name="Action">
        <code>{action}</code>
      </Fact>
      <Fact name="Result">{RESULT_TITLES[result]}</Fact>
      <Fact name="IP">{ip && <code>{ip}</code>}</Fact>
      <Fact name="Known browser">{device && <code>{device}</code>}</Fact>
      <Fact name="Subject">{target && (user ?? <code>{target.slice(0, HMAC_CHARACTERS)}</code>)}</Fact>
    </dl>
  );
}

/** A fact with its name; nothing if it is unknown. */
function Fact({ name, children }: { name: string; children: ComponentChildren }): VNode | null {
  if (!children) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Changes({ changes, others }: { changes: readonly AuditChange[]; others: number }): VNode {
  return (
    <div>
      <ChangeTable changes={changes} />
      {others > 0 && <p class="help">{others} more changes are not stored.</p>}
    </div>
  );
}

/** Returns the first change in a few words, and the number of the others. */
function summaryOf({ changes: [first, ...rest] = [], otherChanges = 0 }: ShownAuditRow): string {
  if (!first) return "";
  const { path, before, after, secret } = first;
  const value = secret ?? `${shownValue(before)} → ${shownValue(after)}`;
  const others = rest.length + otherChanges;
  return `${settingTitle(path)}: ${value}${others > 0 ? `, and ${others} more` : ""}`;
}
