import { createHmac } from "node:crypto";
import { z } from "zod";
import type { ProviderDouble } from "../../../testing/serve_double.ts";
import { type Account, type Audience, createAccount, hashOf, type Hook, STATUSES } from "./account.ts";
import { addMergeField, checkMergeFields, mergeFieldsBody, mergeValues } from "./merge_fields.ts";
import { invalid, missing, Rejection } from "./rejection.ts";

/**
 * Mailchimp for tests, as far as the adapter uses it. Written from mailchimp.com/developer/marketing and, for the errors
 * about addresses, from reports of users.
 */
export interface MailchimpDouble extends ProviderDouble {
  account: Account;
  /** Maximum number of members on a page. */
  pageSize: number;
}

const status = z.enum(["subscribed", "unsubscribed", "cleaned", "pending", "transactional"]);
const optIn = {
  timestamp_opt: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/).optional(),
  ip_signup: z.string().optional(),
};
const newMember = z.object({
  ...optIn,
  email_address: z.string(),
  status,
  merge_fields: mergeValues.default({}),
  tags: z.array(z.string()).default([]),
});
const upsert = z.object({ email_address: z.string(), status_if_new: status, status: status.optional() });
const flags = z.record(z.string(), z.boolean());
const hookBody = z.object({ url: z.url(), events: flags, sources: flags });

interface Given {
  account: Account;
  audience: Audience;
  ids: string[];
  body: unknown;
  query: URLSearchParams;
  pageSize: number;
}
/** Returns the response's body; undefined for a 204. */
type Handler = (given: Given) => unknown;

/** Below `/3.0/lists/{list_id}`. */
const ROUTES: readonly [method: string, path: RegExp, handle: Handler][] = [
  ["GET", /^$/, ({ audience }) => audienceBody(audience)],
  ["GET", /^\/members$/, listMembers],
  ["POST", /^\/members$/, addMember],
  ["GET", /^\/members\/(\w+)$/, ({ audience, ids }) => memberBody(audience, ids[0]!)],
  ["PUT", /^\/members\/(\w+)$/, putMember],
  ["POST", /^\/members\/(\w+)\/actions\/delete-permanent$/, ({ audience, ids }) => {
    if (!audience.members.delete(ids[0]!)) throw missing();
    audience.forgotten.add(ids[0]!);
  }],
  ["GET", /^\/merge-fields$/, ({ audience }) => mergeFieldsBody(audience)],
  ["POST", /^\/merge-fields$/, ({ account, audience, body }) => addMergeField(account, audience, body)],
  ["GET", /^\/webhooks$/, ({ audience }) => ({
    webhooks: audience.hooks.map((hook) => hookBodyOf(audience, hook)),
    list_id: audience.id,
    total_items: audience.hooks.length,
  })],
  ["POST", /^\/webhooks$/, ({ account, audience, body }) => {
    const hook = account.register(audience.id, hookOf(audience, body));
    const secret = account.signs ? { signing_secret: hook.secret } : {};
    return { ...hookBodyOf(audience, hook), ...secret };
  }],
  ["PATCH", /^\/webhooks\/(\w+)$/, ({ audience, ids, body }) => {
    const hook = audience.hooks.find(({ id }) => id === ids[0]);
    if (!hook) throw missing();
    return hookBodyOf(audience, Object.assign(hook, hookOf(audience, body, hook.id)));
  }],
];

function hookOf(audience: Audience, body: unknown, id?: string) {
  const found = hookBody.safeParse(body);
  if (!found.success) throw invalid("We could not connect to the URL of the webhook.");
  if (audience.hooks.some((hook) => hook.url === found.data.url && hook.id !== id)) {
    throw invalid("You can't set up multiple webhooks for one URL.");
  }
  return found.data;
}

const hookBodyOf = ({ id: list_id }: Audience, { id, url, events, sources }: Hook) => ({
  id,
  url,
  events,
  sources,
  list_id,
});

const audienceBody = ({ id, name }: Audience) => ({
  id,
  name,
  double_optin: false,
  subscribe_url_long: `https://shop.us6.list-manage.com/subscribe?u=1&id=${id}`,
});

function memberBody({ id: list_id, members }: Audience, hash: string) {
  const person = members.get(hash);
  if (!person) throw missing();
  const { email, status, firstName, mergeFields, tags, changedAt, unsubscribeReason } = person;
  return {
    id: hash,
    email_address: email,
    status,
    ...(unsubscribeReason !== undefined && { unsubscribe_reason: unsubscribeReason }),
    merge_fields: { FNAME: firstName, ...mergeFields },
    last_changed: new Date(changedAt).toISOString().replace(".000Z", "+00:00"),
    tags: tags.map((name, id) => ({ id, name })),
    list_id,
  };
}

function listMembers({ audience, query, pageSize }: Given) {
  const wanted = query.get("status");
  const since = query.get("since_last_changed");
  if (wanted !== null && !STATUSES.some((status) => status === wanted)) throw invalid("Unknown status.");
  if (since !== null && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/.test(since)) {
    throw invalid("Not a date in ISO 8601.");
  }
  const count = Math.min(Number(query.get("count") ?? 10), pageSize);
  const offset = Number(query.get("offset") ?? 0);
  if (!(count <= 1000 && offset >= 0)) throw invalid("The page is malformed.");
  const all = [...audience.members].filter(([, { status, changedAt }]) =>
    (wanted === null ? status !== "archived" : status === wanted) &&
    (since === null || changedAt > Date.parse(since))
  ).toSorted(([, a], [, b]) => a.changedAt - b.changedAt);
  return {
    members: all.slice(offset, offset + count).map(([hash]) => memberBody(audience, hash)),
    list_id: audience.id,
    total_items: all.length,
  };
}

/** Rejects an address that Mailchimp does not let anybody add. */
function checkAddress({ account, audience }: Given, email: string): void {
  if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) {
    throw invalid("Please provide a valid email address.");
  }
  if (account.inCompliance.has(email.toLowerCase())) {
    const detail = `${email} is in a compliance state and cannot be subscribed.`;
    throw new Rejection(400, "Member In Compliance State", detail);
  }
  if (audience.forgotten.has(hashOf(email))) {
    const detail = `${email} was permanently deleted and cannot be re-imported.`;
    throw new Rejection(400, "Forgotten Email Not Subscribed", detail);
  }
}

function addMember(given: Given) {
  const { account, audience, body } = given;
  const { email_address: email, status, merge_fields, tags, ...proof } = newMember.parse(body);
  checkAddress(given, email);
  if (account.find(audience.id, email)) {
    throw new Rejection(400, "Member Exists", `${email} is already a list member.`);
  }
  const { FNAME: firstName = "", ...mergeFields } = merge_fields;
  checkMergeFields(audience, mergeFields);
  account.add(audience.id, email, { status, firstName: String(firstName), mergeFields, tags, proof });
  return memberBody(audience, hashOf(email));
}

function putMember(given: Given) {
  const { account, audience, ids, body } = given;
  const { email_address: email, status_if_new, status } = upsert.parse(body);
  checkAddress(given, email);
  const known = audience.members.get(ids[0]!);
  if (known?.status === "unsubscribed" && status === "subscribed") {
    throw new Rejection(400, "Member In Compliance State");
  }
  if (!known) account.add(audience.id, email, { status: status_if_new });
  else if (status) account.put(audience.id, email, status);
  return memberBody(audience, ids[0]!);
}

/** Creates the double. Its API is at `/3.0`. */
export function createMailchimpDouble(key: string): MailchimpDouble {
  const account = createAccount(key);
  let retryAfter: number | undefined;

  async function respond(request: Request): Promise<Response> {
    if (retryAfter !== undefined) throw new Rejection(429, "Too Many Requests");
    const [, password] = atob((request.headers.get("authorization") ?? "").replace(/^Basic /, "")).split(":");
    if (password !== account.key) throw new Rejection(401, "API Key Invalid");
    const { pathname, searchParams: query } = new URL(request.url);
    const path = pathname.replace(/^\/3\.0\b/, "");
    if (request.method === "GET" && path === "/ping") {
      return Response.json({ health_status: "Everything's Chimpy!" });
    }
    if (request.method === "GET" && path === "/lists") {
      const offset = Number(query.get("offset") ?? 0);
      const all = [...account.audiences.values()];
      const lists = all.slice(offset, offset + Number(query.get("count") ?? 10)).map(audienceBody);
      return Response.json({ lists, total_items: all.length });
    }
    const [, list = "", below = ""] = /^\/lists\/([^/]+)(.*)$/.exec(path) ?? [];
    const audience = account.audiences.get(decodeURIComponent(list));
    if (!audience) throw missing();
    const text = await request.text();
    const body = text === "" ? undefined : JSON.parse(text);
    for (const [method, pattern, handle] of ROUTES) {
      const ids = request.method === method ? pattern.exec(below)?.slice(1) : undefined;
      if (!ids) continue;
      const result = handle({ account, audience, ids, body, query, pageSize: double.pageSize });
      return result === undefined ? new Response(null, { status: 204 }) : Response.json(result);
    }
    throw missing();
  }

  const double: MailchimpDouble = {
    account,
    pageSize: 1000,
    limit: (retryAfterSeconds) => retryAfter = retryAfterSeconds,
    async handle(request) {
      const response = await respond(request).catch((error) => {
        if (!(error instanceof Rejection)) throw error;
        const { status, title, message: detail } = error;
        const type = "https://mailchimp.com/developer/marketing/docs/errors/";
        return Response.json({ type, title, status, detail, instance: account.newId() }, {
          status,
          headers: {
            "content-type": "application/problem+json",
            ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
          },
        });
      });
      response.headers.set("date", new Date().toUTCString());
      return response;
    },
  };
  return double;
}

/**
 * Returns the `X-Mailchimp-Signature` header of a webhook call.
 *
 * @param at Unix milliseconds
 */
export function mailchimpSignature(body: string, secret: string, at: number): string {
  const time = Math.floor(at / 1000);
  return `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")}`;
}
