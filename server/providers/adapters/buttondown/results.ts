import { z } from "zod";
import type { ListStatus } from "../../../../shared/outcomes.ts";
import { normalizeEmail } from "../../../platform/http/email.ts";
import { skewOf } from "../../http/json_response.ts";
import type {
  ConnectionResult,
  EmailResult,
  EraseResult,
  PageResult,
  ProviderList,
  StatusResult,
  SubscribeResult,
  Suppressed,
} from "../../port/port.ts";
import { type ButtondownResponse, isMissing, trouble } from "./http.ts";

/** Converts Buttondown's responses to the results of the port. All functions are pure. */

/** Source: docs.buttondown.com/api-subscribers-type. */
const STATUSES = {
  unactivated: "pending",
  regular: "active",
  // The types of a newsletter with paid subscriptions. These people have all confirmed.
  churned: "active",
  churning: "active",
  gifted: "active",
  past_due: "active",
  paused: "active",
  premium: "active",
  trialed: "active",
  unpaid: "active",
  upcoming: "active",
  unsubscribed: "unsubscribed",
  undeliverable: "bounced",
  blocked: "suppressed",
  complained: "suppressed",
  removed: "suppressed",
} as const satisfies Record<string, ListStatus>;

const TYPES = Object.keys(STATUSES) as [keyof typeof STATUSES];

const subscriber = z.object({
  type: z.enum(TYPES).transform((type) => STATUSES[type]),
  transitions: z.array(z.object({ date: z.string() })).catch([]),
});

/** Returns when a person's type last changed, Unix milliseconds. */
function changedAtOf({ transitions }: z.infer<typeof subscriber>): { changedAt?: number } {
  const times = transitions.map(({ date }) => Date.parse(date)).filter((time) => !Number.isNaN(time));
  return times.length === 0 ? {} : { changedAt: Math.max(...times) };
}

const address = z.object({ email_address: z.unknown().transform(normalizeEmail).pipe(z.string()) });

/** Returns the result of `GET /subscribers/{id}`. */
export function emailResult(response: ButtondownResponse): EmailResult {
  if (isMissing(response)) return { kind: "absent" };
  const found = response.kind === "ok" ? address.safeParse(response.body).data : undefined;
  return found ? { kind: "found", email: found.email_address } : trouble(response, "reads");
}

/** Returns the result of `GET /subscribers/{email}`. */
export function statusResult(response: ButtondownResponse): StatusResult {
  if (isMissing(response)) return { kind: "absent" };
  const found = response.kind === "ok" ? subscriber.safeParse(response.body).data : undefined;
  return found ? { kind: "found", status: found.type, ...changedAtOf(found) } : trouble(response, "reads");
}

const BLOCKED: Suppressed = { kind: "suppressed", reason: "Buttondown's firewall blocks the address." };

/** Returns why Buttondown sends nothing to an address with this status; undefined if it does. */
export function suppressionOf(status: ListStatus): Suppressed | undefined {
  if (status === "bounced") {
    const reason = "Emails to the address bounce, and Buttondown sends none to it.";
    return { kind: "suppressed", bounced: true, reason };
  }
  if (status !== "suppressed") return undefined;
  const reason = "Buttondown blocked the address, you banned it, or the person reported an email as spam.";
  return { kind: "suppressed", reason };
}

/** Returns the result of a subscribe for somebody whom Buttondown has already. */
export function knownResult(status: ListStatus): SubscribeResult {
  if (status === "unsubscribed") return { kind: "left" };
  return suppressionOf(status) ?? { kind: "exists" };
}

/** Returns the code of an error that Buttondown itself reports with this status. */
function codeOf(response: ButtondownResponse, status: number): string | undefined {
  return response.kind === "error" && response.status === status ? response.problem?.code : undefined;
}

/** Returns whether Buttondown has the person already, and therefore changed nothing. */
export function isCollision(response: ButtondownResponse): boolean {
  const code = codeOf(response, 400) ?? "";
  return ["email_already_exists", "subscriber_already_exists", "subscriber_suppressed"].includes(code);
}

/** Returns whether Buttondown created nobody because of the tags or the metadata: the plan has none, or they are invalid. */
export function rejectsExtras(response: ButtondownResponse): boolean {
  return codeOf(response, 403) === "feature_disabled" ||
    /^(tag|metadata)_invalid$/.test(codeOf(response, 400) ?? "");
}

/** What a signup fails with that has nothing to do with the person, by its code. */
const ACCOUNT_TROUBLES: Readonly<Record<string, string>> = {
  rate_limited: "Buttondown's limit of new subscribers a day is reached",
  newsletter_not_accepting_subscribers: "the newsletter does not accept subscribers",
  ip_address_spammy: "Buttondown's firewall blocks the IP address of this server",
};

/** Returns the result of `POST /subscribers` for somebody whom Buttondown did not have. */
export function createResult(response: ButtondownResponse): SubscribeResult {
  if (response.kind === "error") return createErrorResult(response);
  const created = response.kind === "ok" ? subscriber.safeParse(response.body).data : undefined;
  if (!created) return trouble(response, "writes");
  // The firewall may keep somebody whom it blocks, for the newsletter's owner to review.
  if (created.type === "suppressed") return BLOCKED;
  return { kind: "accepted", ...(created.type === "pending" && { isPending: true }) };
}

function createErrorResult(response: Extract<ButtondownResponse, { kind: "error" }>): SubscribeResult {
  const { code, members } = response.problem ?? { code: "", members: [] };
  const isAddress = response.status === 422 && members.includes("email_address");
  if (isAddress || (response.status === 400 && /^email_(invalid|empty)$/.test(code))) {
    return { kind: "refused", reason: "Buttondown does not accept this as an email address." };
  }
  if (response.status !== 400) return trouble(response, "writes");
  if (code === "email_blocked" || code === "subscriber_blocked") return BLOCKED;
  const reason = Object.hasOwn(ACCOUNT_TROUBLES, code) ? ACCOUNT_TROUBLES[code] : undefined;
  return reason === undefined
    ? trouble(response, "writes")
    : { ...trouble(response, "writes", "account"), reason };
}

/** Returns the result of `DELETE /subscribers/{email}` in one newsletter. */
export function eraseResult(response: ButtondownResponse): EraseResult {
  if (isMissing(response)) return { kind: "absent" };
  return response.kind === "ok" && response.status === 204 ? { kind: "erased" } : trouble(response, "writes");
}

const account = z.object({ username: z.string() });

/** Returns the result of `GET /accounts/me`. */
export function connectionResult(response: ButtondownResponse): ConnectionResult {
  const skew = skewOf(response);
  if (response.kind === "error" && (response.status === 401 || response.status === 403)) {
    return { kind: "forbidden", message: `HTTP ${response.status}`, ...skew };
  }
  const found = response.kind === "ok" ? account.safeParse(response.body).data : undefined;
  if (!found) return trouble(response, "reads");
  return { kind: "connected", name: found.username, status: "", ...skew };
}

const page = z.object({
  results: z.array(z.unknown()),
  next: z.string().nullish().catch(null),
  count: z.number().int().nonnegative().optional().catch(undefined),
});
// Buttondown also returns each newsletter's API key. It is not read.
const newsletter = z.object({ id: z.string().min(1), name: z.string() });
const listed = z.object({ email_address: z.string().min(3), type: z.literal("unactivated") });

/** Returns the items of a page that fit a schema; undefined if the response is not a page. */
function pageOf<T>(response: ButtondownResponse, schema: z.ZodType<T>) {
  const found = response.kind === "ok" ? page.safeParse(response.body).data : undefined;
  if (!found) return undefined;
  const items = found.results.flatMap((raw) => {
    const item = schema.safeParse(raw);
    return item.success ? [item.data] : [];
  });
  // An empty page is the last one, whatever follows it, so that loops end.
  const hasNext = found.results.length > 0 && typeof found.next === "string";
  return { items, hasNext, count: found.count };
}

/** Returns a page of newsletters; undefined if the response is not one. */
export function newsletterPage(
  response: ButtondownResponse,
): { items: ProviderList[]; hasNext: boolean } | undefined {
  return pageOf(response, newsletter);
}

/** Returns a page of the people who have not confirmed. */
export function unconfirmedPage(response: ButtondownResponse, number: number): PageResult {
  const read = pageOf(response, listed);
  if (!read) return trouble(response, "reads");
  return {
    kind: "page",
    items: read.items.map(({ email_address: email }) => ({ email, status: "pending" })),
    ...(read.hasNext && { cursor: String(number + 1) }),
    ...(read.count !== undefined && { total: read.count }),
  };
}
