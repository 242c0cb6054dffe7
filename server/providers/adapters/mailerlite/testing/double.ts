import { createHmac } from "node:crypto";
import { z } from "zod";
import type { ProviderDouble } from "../../../testing/serve_double.ts";
import { type Account, createAccount, STATUSES, timestamp } from "./account.ts";
import { groupBody, pageBody, subscriberBody } from "./bodies.ts";

/**
 * MailerLite for tests, as far as the adapter uses it. Written from developers.mailerlite.com/docs, from the vendor's
 * recorded responses, and, for the errors, from reports of users.
 */
export interface MailerliteDouble extends ProviderDouble {
  account: Account;
}

/** An error response. */
class Rejection extends Error {
  constructor(readonly status: number, message: string, readonly more: Record<string, unknown> = {}) {
    super(message);
  }
}

const missing = (model: string) => new Rejection(404, `No query results for model [App\\Models\\${model}].`);
const invalid = (name: string, message: string, more: Record<string, unknown> = {}) =>
  new Rejection(422, "The given data was invalid.", { errors: { [name]: [message] }, ...more });

const upsert = z.object({
  email: z.string(),
  status: z.string().optional(),
  groups: z.array(z.string()).default([]),
  opted_in_at: z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/).optional(),
  optin_ip: z.ipv4().optional(),
  fields: z.looseObject({ name: z.string().optional() }).default({}),
});
const fieldBody = z.object({ name: z.string().max(255), type: z.enum(["text", "number", "date"]) });
const hookBody = z.object({ name: z.string(), url: z.url(), events: z.array(z.string()).min(1) });

type Handler = (account: Account, given: { ids: string[]; body: unknown; url: URL }) => [number, unknown];

const ROUTES: readonly [method: string, path: RegExp, handle: Handler][] = [
  ["GET", /^\/subscribers\/([^/]+)$/, (account, { ids }) => {
    const person = personOf(account, ids[0]!);
    return [200, { data: subscriberBody(account, person, { groups: true }) }];
  }],
  ["POST", /^\/subscribers$/, upsertSubscriber],
  ["POST", /^\/subscribers\/(\d+)\/groups\/([^/]+)$/, (account, { ids }) => {
    const person = personOf(account, ids[0]!);
    groupOf(account, ids[1]!);
    person.groups.add(ids[1]!);
    return [200, { data: groupBody(account, ids[1]!) }];
  }],
  ["POST", /^\/subscribers\/(\d+)\/forget$/, (account, { ids }) => {
    const person = personOf(account, ids[0]!);
    account.people.delete(person.email);
    const data = {
      ...subscriberBody(account, person, { groups: true }),
      deleted_at: timestamp(),
      forget_at: timestamp(),
    };
    return [200, {
      data,
      message: "Subscriber data will be completely deleted and forgotten within 30 days.",
    }];
  }],
  ["GET", /^\/groups$/, (account, { url }) => {
    const groups = [...account.groups.keys()].map((id) => groupBody(account, id));
    return [200, pageBody(groups, { url, perPage: 250 })];
  }],
  ["GET", /^\/groups\/([^/]+)\/subscribers$/, (account, { ids, url }) => {
    groupOf(account, ids[0]!);
    const status = url.searchParams.get("filter[status]") ?? "active";
    if (!STATUSES.includes(status)) throw invalid("filter.status", "The selected filter.status is invalid.");
    const people = [...account.people.values()].filter((person) =>
      person.groups.has(ids[0]!) && person.status === status
    );
    const bodies = people.map((person) => subscriberBody(account, person, { groups: false }));
    return [200, pageBody(bodies, { url, perPage: 50, pageMax: account.pageMax })];
  }],
  ["GET", /^\/fields$/, (account, { url }) => {
    return [
      200,
      pageBody([...account.fields].map(([key, type]) => ({ id: "1", name: key, key, type })), {
        url,
        perPage: 100,
      }),
    ];
  }],
  ["POST", /^\/fields$/, (account, { body }) => {
    const { name, type } = fieldBody.parse(body);
    const key = name.toLowerCase().replaceAll(" ", "_");
    if (account.fields.has(key)) throw invalid("name", "The name has already been taken.");
    if (account.fields.size >= account.mostFields) throw invalid("name", "The limit of fields is reached.");
    account.fields.set(key, type);
    return [201, { data: { id: "1", name, key, type } }];
  }],
  ["GET", /^\/webhooks$/, (account, { url }) => [200, pageBody(account.hooks, { url, perPage: 50 })]],
  ["POST", /^\/webhooks$/, (account, { body }) => [201, { data: account.register(hookOf(body)) }]],
  ["PUT", /^\/webhooks\/(\d+)$/, (account, { ids, body }) => {
    const hook = account.hooks.find(({ id }) => id === ids[0]);
    if (!hook) throw missing("Webhook\\Webhook");
    return [200, { data: Object.assign(hook, hookOf(body), { enabled: true, updated_at: timestamp() }) }];
  }],
];

function personOf(account: Account, idOrEmail: string) {
  const found = account.find(idOrEmail);
  if (!found) throw missing("Subscriber\\Subscriber");
  return found;
}

function groupOf(account: Account, id: string): void {
  if (!account.groups.has(id)) throw missing("Group\\Group");
}

function hookOf(body: unknown) {
  const found = hookBody.safeParse(body);
  if (!found.success) throw invalid("url", "The url must be a valid URL.");
  return found.data;
}

function upsertSubscriber(account: Account, { body }: { body: unknown }): [number, unknown] {
  const { email, status, groups, fields, opted_in_at: optedInAt, optin_ip: optInIp } = upsert.parse(body);
  if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) {
    throw invalid("email", "The email must be a valid email address.");
  }
  groups.forEach((id, at) => {
    if (!account.groups.has(id)) throw invalid(`groups.${at}`, `The selected groups.${at} is invalid.`);
  });
  if (status !== undefined && !STATUSES.includes(status)) {
    throw invalid("status", "The selected status is invalid.");
  }
  const known = account.people.get(email.toLowerCase());
  if (known?.status === "unsubscribed") {
    const message = "This subscriber is unsubscribed and cannot be imported";
    throw invalid("email", message, { subscriber: known.id });
  }
  const given = {
    ...(status !== undefined && { status: status as typeof STATUSES[number] & "active" }),
    ...(fields.name !== undefined && { name: fields.name }),
    // Values of fields that the account does not have are ignored.
    fields: Object.fromEntries(Object.entries(fields).filter(([key]) => account.fields.has(key))),
    ...(optedInAt !== undefined && { optedInAt }),
    ...(optInIp !== undefined && { optInIp }),
  };
  const person = known ? Object.assign(known, given) : account.add(email, given);
  for (const id of groups) person.groups.add(id);
  return [known ? 200 : 201, { data: subscriberBody(account, person, { groups: true }) }];
}

/** Creates the double. Its API is at `/api`. */
export function createMailerliteDouble(token: string): MailerliteDouble {
  const account = createAccount(token);
  let retryAfter: number | undefined;

  async function respond(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (retryAfter !== undefined) {
      const headers = { "retry-after": String(retryAfter), "x-ratelimit-remaining": "0" };
      return Response.json({ message: "Too Many Attempts." }, { status: 429, headers });
    }
    if (request.headers.get("authorization") !== `Bearer ${account.token}`) {
      throw new Rejection(401, "Unauthenticated.");
    }
    const path = url.pathname.replace(/^\/api\b/, "");
    const text = await request.text();
    for (const [method, pattern, handle] of ROUTES) {
      const ids = request.method === method
        ? pattern.exec(path)?.slice(1).map(decodeURIComponent)
        : undefined;
      if (!ids) continue;
      if (method !== "GET") account.recount();
      const [status, body] = handle(account, { ids, url, body: text === "" ? {} : JSON.parse(text) });
      return Response.json(body, { status, headers: { "x-ratelimit-remaining": "119" } });
    }
    throw new Rejection(404, `The route ${url.pathname.slice(1)} could not be found.`);
  }

  return {
    account,
    limit: (retryAfterSeconds) => retryAfter = retryAfterSeconds,
    async handle(request) {
      const response = await respond(request).catch((error) => {
        if (!(error instanceof Rejection)) throw error;
        return Response.json({ message: error.message, ...error.more }, { status: error.status });
      });
      response.headers.set("date", new Date().toUTCString());
      return response;
    },
  };
}

/** Returns the `Signature` header of a webhook call. */
export function mailerliteSignature(body: string, secret: string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}
