import { createHmac } from "node:crypto";
import { z } from "zod";
import type { ProviderDouble } from "../../../testing/serve_double.ts";
import { type Account, createAccount, type Person, STATES, timestamp } from "./account.ts";
import { formBody, hookBody, memberBody, pageBody, personBody } from "./bodies.ts";

/** Kit for tests, as far as the adapter uses it. Written from developers.kit.com/api-reference. */
export interface KitDouble extends ProviderDouble {
  account: Account;
  /** While on, listings show the people as they are now, whatever changes. Responses for one ID stay current. */
  lag(on: boolean): void;
}

/** An error response. */
class Rejection extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

const missing = () => new Rejection(404, "Not Found");
const EVENTS = ["created", "activated", "unsubscribed", "bounced", "complained", "subscribed_to_form"];

const upsert = z.object({
  email_address: z.string(),
  first_name: z.string().nullish(),
  state: z.enum(STATES).default("active"),
  fields: z.record(z.string(), z.string()).default({}),
});
const newField = z.object({ label: z.string().trim().min(1) });
const hookChange = z.object({
  url: z.url().refine((url) => !/^https?:\/\/(localhost|127\.)/.test(url)),
  events: z.array(z.string().refine((name) => EVENTS.includes(name.replace(/^subscriber\./, "")))).min(1),
  name: z.string(),
  status: z.enum(["active", "disabled"]),
}).partial();
const hook = hookChange.required({ url: true, events: true }).extend({ name: z.string().default("Webhook") });

interface Given {
  ids: number[];
  body: unknown;
  query: URLSearchParams;
  /** The people as listings show them, by address. */
  listed: ReadonlyMap<string, Person>;
}

type Handler = (account: Account, given: Given) => [number, unknown];

const ROUTES: readonly [method: string, path: RegExp, handle: Handler][] = [
  ["GET", /^\/account$/, () => [200, {
    user: { email: "owner@example.com", id: 27 },
    account: {
      id: 27,
      name: "Kit Greetings",
      plan_type: "creator",
      primary_email_address: "owner@example.com",
      created_at: "2023-02-17T11:43:55Z",
      timezone: { name: "Europe/Berlin", friendly_name: "Berlin", utc_offset: "+01:00" },
      sending_addresses: [],
    },
  }]],
  ["GET", /^\/subscribers$/, (_, { query, listed }) => {
    const emails = query.get("email_address")?.toLowerCase().split(",");
    const named = emails?.flatMap((email) => listed.get(email) ?? []) ?? listed.values();
    return [200, pageBody("subscribers", inState(named, query).map(personBody), query)];
  }],
  ["POST", /^\/subscribers$/, createPerson],
  ["GET", /^\/subscribers\/(\d+)$/, (account, { ids }) => {
    return [200, { subscriber: personBody(personOf(account, ids[0]!)) }];
  }],
  ["GET", /^\/custom_fields$/, ({ customFields }, { query }) => {
    return [200, pageBody("custom_fields", customFields, query)];
  }],
  ["POST", /^\/custom_fields$/, (account, { body }) => {
    const { label } = valid(newField, body);
    const known = account.customFields.find((field) => field.label === label);
    const field = known ?? account.addCustomField(label);
    if (!field) throw new Rejection(422, "Key has already been taken");
    return [known ? 200 : 201, { custom_field: field }];
  }],
  ["GET", /^\/forms$/, (account, { query }) => {
    return [200, pageBody("forms", [...account.forms.keys()].map((id) => formBody(account, id)), query)];
  }],
  ["GET", /^\/forms\/(\d+)\/subscribers$/, (account, { ids, query, listed }) => {
    const form = formOf(account, ids[0]!);
    const day = (name: string) => /^\d{4}-\d\d-\d\d$/.exec(query.get(name) ?? "")?.[0];
    const found = inState(listed.values(), query).filter(({ forms, createdAt }) =>
      forms.has(form) && createdAt.slice(0, 10) > (day("created_after") ?? "") &&
      createdAt.slice(0, 10) < (day("created_before") ?? "9")
    );
    const bodies = found.map((person) => memberBody(person, form));
    return [200, pageBody("subscribers", bodies, query, account.pageMax)];
  }],
  ["POST", /^\/forms\/(\d+)\/subscribers$/, (account, { ids, body }) => {
    const form = formOf(account, ids[0]!);
    const { email_address: email } = valid(z.object({ email_address: z.string() }), body);
    const person = account.people.get(email.toLowerCase());
    if (!person) throw missing();
    const status = account.join(person, form) ? 201 : 200;
    return [status, { subscriber: memberBody(person, form) }];
  }],
  ["GET", /^\/webhook_endpoints$/, ({ hooks }, { query }) => {
    return [
      200,
      pageBody("webhook_endpoints", hooks.map((hook) => hookBody(hook, { secret: false })), query),
    ];
  }],
  ["POST", /^\/webhook_endpoints$/, (account, { body }) => {
    const created = account.register(valid(hook, body));
    return [201, { webhook_endpoint: hookBody(created, { secret: true }) }];
  }],
  ["PATCH", /^\/webhook_endpoints\/(\d+)$/, (account, { ids, body }) => {
    const changed = Object.assign(hookOf(account, ids[0]!), valid(hookChange, body));
    return [200, { webhook_endpoint: hookBody(changed, { secret: false }) }];
  }],
  ["POST", /^\/webhook_endpoints\/(\d+)\/rotate_secret$/, (account, { ids, body }) => {
    const found = hookOf(account, ids[0]!);
    const { force } = valid(z.object({ force: z.boolean().default(false) }), body);
    if (found.previousExpiresAt !== null && !force) {
      throw new Rejection(409, "The previous signing secret is still within its rotation window.");
    }
    found.secret = `whsec_${account.newId()}`;
    found.previousExpiresAt = timestamp();
    return [200, { webhook_endpoint: hookBody(found, { secret: true }) }];
  }],
];

function valid<T>(schema: z.ZodType<T>, body: unknown): T {
  const found = schema.safeParse(body);
  if (!found.success) throw new Rejection(422, `${found.error.issues[0]?.path.join(".")} is invalid`);
  return found.data;
}

function personOf({ byId }: Account, id: number): Person {
  const found = byId(id);
  if (!found) throw missing();
  return found;
}

function formOf({ forms }: Account, id: number): number {
  if (!forms.has(id)) throw missing();
  return id;
}

function hookOf({ hooks }: Account, wanted: number) {
  const found = hooks.find(({ id }) => id === wanted);
  if (!found) throw missing();
  return found;
}

/** Returns the people in the state that the query asks for: those who are active if it asks for none. */
function inState(people: Iterable<Person>, query: URLSearchParams): Person[] {
  const wanted = valid(z.enum([...STATES, "all"]), query.get("status") ?? "active");
  return [...people].filter(({ state }) => wanted === "all" || state === wanted);
}

/**
 * Never changes the state of somebody who exists, as Kit documents it. Their name and fields change. Unknown fields are
 * ignored.
 */
function createPerson(account: Account, { body }: Given): [number, unknown] {
  const { email_address: email, first_name: name, state, fields } = valid(upsert, body);
  if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) throw new Rejection(422, "Email address is invalid");
  const known = account.people.get(email.toLowerCase());
  const person = known ?? account.add(email, { state });
  if (name != null) person.name = name;
  const keys = account.customFields.map(({ key }) => key);
  Object.assign(
    person.fields,
    Object.fromEntries(Object.entries(fields).filter(([key]) => keys.includes(key))),
  );
  return [known ? 200 : 201, { subscriber: personBody(person) }];
}

/** Creates the double. Its API is at `/v4`. */
export function createKitDouble(key: string): KitDouble {
  const account = createAccount(key);
  let retryAfter: number | undefined;
  let shown: Map<string, Person> | undefined;

  async function respond(request: Request): Promise<Response> {
    const { pathname, searchParams: query } = new URL(request.url);
    if (retryAfter !== undefined) {
      const headers = { "retry-after": String(retryAfter) };
      return Response.json({ errors: ["Rate limit exceeded"] }, { status: 429, headers });
    }
    if (request.headers.get("x-kit-api-key") !== account.key) {
      throw new Rejection(401, "The access token is invalid");
    }
    if (Number(query.get("per_page") ?? 500) > 1000) throw new Rejection(422, "per_page is too large");
    const path = pathname.replace(/^\/v4\b/, "");
    const text = await request.text();
    for (const [method, pattern, handle] of ROUTES) {
      const ids = request.method === method ? pattern.exec(path)?.slice(1).map(Number) : undefined;
      if (!ids) continue;
      const body = text === "" ? {} : JSON.parse(text);
      const [status, answer] = handle(account, {
        ids,
        body,
        query,
        listed: shown ?? account.people,
      });
      return Response.json(answer, { status });
    }
    throw missing();
  }

  return {
    account,
    limit: (retryAfterSeconds) => retryAfter = retryAfterSeconds,
    lag: (on) => shown = on ? structuredClone(account.people) : undefined,
    async handle(request) {
      const response = await respond(request).catch((error) => {
        if (!(error instanceof Rejection)) throw error;
        return Response.json({ errors: [error.message] }, { status: error.status });
      });
      response.headers.set("date", new Date().toUTCString());
      return response;
    },
  };
}

/** Returns the `X-Kit-Signature` header of a webhook call, with one signature for each secret. */
export function kitSignature(body: string, secrets: readonly string[], seconds: number): string {
  const signatures = secrets.map((secret) =>
    `v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`
  );
  return [`t=${seconds}`, ...signatures].join(",");
}
