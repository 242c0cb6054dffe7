import { counted } from "../../platform/words/counted.ts";
import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { asSentence } from "../../providers/port/trouble.ts";
import { lastDayOf } from "../../shops/coupons/row.ts";
import type { PollReport } from "../../signup/confirm/poll.ts";
import type { Diagnosis } from "../../operations/doctor/doctor.ts";
import type { SignupStatus } from "../../operations/remote/signup_status.ts";
import type { WebhookState } from "../../operations/provider/webhook.ts";
import { fieldText } from "../../../shared/fields/field_text.ts";
import { leftStatus } from "../../subscribers/person/left_status.ts";
import { printable, time } from "./table.ts";

/** Formats a poll report, with a second line if the poll stopped early. */
export function reportText(report: PollReport): string {
  const { lists, calls, confirmed, failed, expired, skipped = 0, trouble } = report;
  const text = `Checked ${counted(lists, "list")} with ${counted(calls, "call")}: ` +
    `${confirmed} confirmed, ${failed} failed, ${expired} expired.` +
    (skipped > 0 ? ` The provider could not answer for ${counted(skipped, "address", "addresses")}.` : "");
  return trouble === undefined
    ? text
    : `${text}\nStopped early: ${asSentence(trouble)} The next poll continues.`;
}

/** Returns a list for people, by its ID. */
export type ListText = (list: string) => string;

/** Returns the function that adds the names of the lists that have been loaded: “Newsletter (65f0…)”. */
export function listTexts(known: readonly { id: string; name: string }[]): ListText {
  const names = new Map(known.map(({ id, name }) => [id, name]));
  return (list) => {
    const name = names.get(list);
    return name ? `${name} (${list})` : list;
  };
}

/** Formats everything known about an address, one paragraph per list. */
export function statusText(
  email: string,
  status: readonly SignupStatus[],
  listText: ListText = (list) => list,
): string {
  if (status.length === 0) return `No signup found for ${email}.`;
  return status.map((each) => signupText(each, listText)).join("\n\n");
}

/** Formats one signup. The first line has the present status of someone who left the list. */
function signupText({ record, consents, jobs, coupon }: SignupStatus, listText: ListText): string {
  const left = leftStatus(record);
  const status = left
    ? `${left} (confirmed ${time(record.since)})`
    : `${record.status} since ${time(record.since)}`;
  const lines = [
    `${record.email} on list ${printable(listText(record.list))}: ${status}`,
    `  list status   ${record.listStatus ?? "not checked yet"}`,
    `  signed up     ${time(record.createdAt)} via ${record.source}${
      record.form ? `, form ${record.form}` : ""
    }`,
  ];
  if (record.confirmed) {
    lines.push(`  confirmed     ${time(record.confirmed.at)}, by ${record.confirmed.by}`);
  }
  if (record.reason) lines.push(`  reason        ${record.reason}`);
  if (record.name) lines.push(`  name          ${printable(record.name)}`);
  for (const [field, value] of Object.entries(record.fields ?? {})) {
    lines.push(`  field         ${field}: ${printable(fieldText(value))}`);
  }
  if (record.tags.length > 0) lines.push(`  tags          ${record.tags.join(", ")}`);
  for (const { at, given, text, ip, origin } of consents) {
    const consent = text ? `${given ? "agreed to" : "was shown"} “${text}”` : "no consent requested";
    const from = ip === null ? "IP address not stored" : `from ${ip}`;
    const parts = [consent, from, origin && `on ${origin}`].filter(Boolean);
    lines.push(`  consent       ${time(at)}: ${parts.join(", ")}`);
  }
  if (coupon) {
    const worth = coupon.kind === "percent" ? `${coupon.amount}%` : `${coupon.amount} off`;
    lines.push(
      `  coupon        ${coupon.code}${
        coupon.created ? "" : " (not created in the shop yet)"
      }: ${worth} until the end of ${lastDayOf(coupon)} (UTC−12), email ${coupon.mail}`,
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

/** Formats the webhook that is registered at the provider. */
export function webhookText(state: WebhookState): string {
  switch (state.kind) {
    case "none":
      return "The provider sends no webhooks. Polling finds confirmations within 15 minutes.";
    case "unsupported":
      return `Set up the webhook in the provider's dashboard, with this URL: ${state.url}`;
    case "trouble":
      return `The request to the provider failed: ${asSentence(state.reason)}`;
    case "state": {
      const { registered, registeredAt, url } = state;
      const since = registeredAt === undefined ? "" : ` since ${time(registeredAt)}`;
      const events = registered ? `\nEvents: ${registered.events.join(", ") || "none"}` : "";
      return {
        ours: `Registered${since}: ${url}${events}`,
        stale_key: `Registered with a different API key: ${url}\nRun: ${cfbeCommand()} webhook register`,
        foreign: `Another URL is registered: ${registered?.url}\nThis service: ${url}`,
        none: `No webhook is registered. This service: ${url}\nRun: ${cfbeCommand()} webhook register`,
      }[state.state];
    }
  }
}

/** Formats the doctor's findings, errors first: what is wrong, why it matters, what to do. */
export function diagnosisText({ findings, passed, skipped, reasons }: Diagnosis): string {
  const paragraphs = findings.map(({ level, id, what, why, todo }) =>
    `${
      level === "error" ? "FAIL" : "WARN"
    }: ${what}  [${id}]\n  Why it matters  ${why}\n  What to do      ${todo}`
  );
  if (passed.length > 0) paragraphs.push(passed.map((name) => `OK    ${name}`).join("\n"));
  if (skipped.length > 0) {
    paragraphs.push(
      skipped.map((name) => `SKIPPED  ${name}${reasons[name] ? `\n         ${reasons[name]}` : ""}`).join(
        "\n",
      ),
    );
  }
  return paragraphs.join("\n\n");
}
