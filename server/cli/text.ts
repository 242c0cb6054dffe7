import type { PollReport } from "../confirm/poll.ts";
import type { Diagnosis } from "../ops/doctor/doctor.ts";
import type { SignupStatus } from "../ops/operations.ts";
import type { WebhookState } from "../ops/webhook.ts";
import { counted, time } from "./table.ts";

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

function signupText({ record, consents, jobs, coupon }: SignupStatus): string {
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
  if (coupon) {
    const worth = coupon.kind === "percent" ? `${coupon.amount} %` : `${coupon.amount} off`;
    lines.push(
      `  coupon        ${coupon.code}: ${worth} until ${time(coupon.expiresAt)}, mail ${coupon.mail}`,
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

/** What is registered at the provider, in a line or two. */
export function webhookText(state: WebhookState): string {
  switch (state.kind) {
    case "unsupported":
      return `This provider's webhook is set up in its own dashboard. Its address: ${state.url}`;
    case "trouble":
      return `The provider was asked in vain: ${state.reason}.`;
    case "state": {
      const { registered, registeredAt, url } = state;
      const since = registeredAt === undefined ? "" : ` since ${time(registeredAt)}`;
      const events = registered ? `\nIt tells of: ${registered.events.join(", ") || "nothing"}.` : "";
      return {
        ours: `Registered${since}: ${url}${events}`,
        stale_key:
          `Registered with another API key than the one in use: ${url}\nRun: deno task cfbe webhook register`,
        foreign: `Another address is registered: ${registered?.url}\nOurs: ${url}`,
        none: `Nothing is registered. Ours: ${url}\nRun: deno task cfbe webhook register`,
      }[state.state];
    }
  }
}

/** The doctor's findings, worst first: what, why it matters, what to do. */
export function diagnosisText({ findings, well, skipped }: Diagnosis): string {
  const paragraphs = findings.map(({ level, id, what, why, todo }) =>
    `${
      level === "error" ? "WRONG" : "Look at this"
    }: ${what}  [${id}]\n  Why it matters  ${why}\n  What to do      ${todo}`
  );
  if (well.length > 0) paragraphs.push(well.map((name) => `well: ${name}`).join("\n"));
  if (skipped.length > 0) paragraphs.push(skipped.map((name) => `not looked at: ${name}`).join("\n"));
  return paragraphs.join("\n\n");
}
