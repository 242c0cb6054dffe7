import type { PollReport } from "../confirm/poll.ts";
import type { SignupStatus } from "../ops/operations.ts";

/** Unix milliseconds as a person reads them, in UTC: the log's times, so that both can be laid side by side. */
function time(ms: number): string {
  return new Date(ms).toISOString().replace("T", " ").replace(/\.\d+Z$/, " UTC");
}

/** A count with its noun, in the plural where it takes one. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** A poll's report in a line, and a second one if something kept it from looking at everything. */
export function reportText(report: PollReport): string {
  const { lists, calls, confirmed, failed, expired, trouble } = report;
  const text = `${counted(lists, "list")} looked at with ${counted(calls, "call")}: ` +
    `${confirmed} confirmed, ${failed} failed, ${expired} expired.`;
  return trouble === undefined ? text : `${text}\nStopped early: ${trouble} The next poll goes on.`;
}

/** Everything about an address, a paragraph a list. */
export function statusText(email: string, status: readonly SignupStatus[]): string {
  if (status.length === 0) return `No signup of ${email} is known here.`;
  return status.map(signupText).join("\n\n");
}

function signupText({ record, consents, jobs }: SignupStatus): string {
  const lines = [
    `${record.email} on list ${record.list}: ${record.status} since ${time(record.since)}`,
    `  at the list   ${record.listStatus ?? "not asked yet"}`,
    `  signed up     ${time(record.createdAt)} by ${record.source}${
      record.form ? `, form ${record.form}` : ""
    }`,
  ];
  if (record.confirmed) {
    lines.push(`  confirmed     ${time(record.confirmed.at)}, noticed by ${record.confirmed.by}`);
  }
  if (record.reason) lines.push(`  reason        ${record.reason}`);
  if (record.tags.length > 0) lines.push(`  tags          ${record.tags.join(", ")}`);
  for (const { at, given, text, ip, origin } of consents) {
    const consent = text ? `${given ? "agreed to" : "was shown"} “${text}”` : "no consent asked for";
    lines.push(
      `  consent       ${time(at)}: ${consent}, from ${ip ?? "an IP no longer kept"}${
        origin ? ` on ${origin}` : ""
      }`,
    );
  }
  for (const { name, state, attempts, due, history } of jobs) {
    const last = history.at(-1);
    lines.push(
      `  job           ${name} ${state}, due ${time(due)}, attempts ${attempts}${
        last ? `; last: ${last.note}` : ""
      }`,
    );
  }
  return lines.join("\n");
}
