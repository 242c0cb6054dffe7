import { createHmac } from "node:crypto";
import { type Context, Hono } from "hono";
import { z } from "zod";
import type { ProviderDouble } from "../../../testing/serve_double.ts";

const TYPES = ["unactivated", "regular", "premium", "unsubscribed", "undeliverable", "complained", "blocked"];

interface Person {
  id: string;
  email: string;
  type: string;
  metadata: Record<string, unknown>;
  tags: string[];
  transitions: { date: string; type: string }[];
}

export interface Newsletter {
  id: string;
  name: string;
  /** False if Buttondown's support turned it off. */
  doubleOptIn: boolean;
  /** By lowercase address. */
  people: Map<string, Person>;
}

/** Buttondown for tests, as far as the adapter uses it. Written from docs.buttondown.com and its specification. */
export interface ButtondownDouble extends ProviderDouble {
  newsletters: Newsletter[];
  /** Addresses to which it sent a confirmation email or a reminder, in order. */
  mails: string[];
  /** Changes a person's type, and creates a person who does not exist. */
  put(newsletter: Newsletter, email: string, type: string): void;
  /** Rules of the account. */
  rules: {
    /** Whether the plan has tags. */
    hasTags: boolean;
    /** Whether the plan has metadata. */
    hasMetadata: boolean;
    /** How many more people can be created today. */
    creationsLeft: number;
    /** What the firewall does with addresses that start with `spam`. */
    firewall: "rejects" | "accepts as blocked";
    /** How many items a page of a listing has. */
    pageSize: number;
  };
}

/** The pattern of the specification. */
const ADDRESS = /^[a-zA-Z0-9.'_%+\-!]+@[a-zA-Z0-9.\-]+\.[a-zA-Z]{2,}$/;

const creation = z.strictObject({
  email_address: z.string().max(254).regex(ADDRESS),
  metadata: z.record(z.string(), z.unknown()).default({}),
  tags: z.array(z.string()).default([]),
});
const change = z.strictObject({ type: z.enum(["regular", "unsubscribed", "gifted", "unpaid"]) });

type Env = { Variables: { newsletter: Newsletter } };

const error = (c: Context, status: 400 | 401 | 403 | 404 | 429, code: string, headers = {}) =>
  c.json({ code, detail: `It failed: ${code}.`, metadata: {} }, status, headers);

function invalid(c: Context, { issues }: z.ZodError) {
  const detail = issues.map(({ path, message, code }) => ({
    type: code,
    loc: ["body", "payload", ...path.map(String)],
    msg: message,
  }));
  return c.json({ detail }, 422);
}

/** Creates a double with two newsletters; the second has no double opt-in. Its API is at `/v1`. */
export function createButtondownDouble(key: string): ButtondownDouble {
  const newsletters = [newsletter("News", true), newsletter("Buyers", false)];
  const mails: string[] = [];
  const rules: ButtondownDouble["rules"] = {
    hasTags: true,
    hasMetadata: true,
    creationsLeft: 100,
    firewall: "rejects",
    pageSize: 100,
  };
  let retryAfter: number | undefined;
  const api = new Hono<Env>().basePath("/v1");

  api.use(async (c, next) => {
    if (retryAfter !== undefined) {
      return error(c, 429, "rate_limited", { "Retry-After": String(retryAfter) });
    }
    const context = c.req.header("buttondown-context") ?? newsletters[0]!.id;
    const found = newsletters.find(({ id }) => id === context);
    if (c.req.header("authorization") !== `Token ${key}` || !found) {
      return error(c, 401, "authentication_invalid");
    }
    c.set("newsletter", found);
    await next();
    c.header("date", new Date().toUTCString());
  });

  api.get("/accounts/me", (c) => c.json({ username: "ada", email_address: "ada@shop.example" }));
  api.get("/newsletters", (c) => c.json(pageBody(c, newsletters.map(newsletterBody), rules.pageSize)));
  api.get("/subscribers", (c) => {
    const type = c.req.query("type");
    const people = [...c.get("newsletter").people.values()].filter((person) => person.type === type);
    return c.json(pageBody(c, people.map(subscriberBody), rules.pageSize));
  });

  api.post("/subscribers", async (c) => {
    const given = creation.safeParse(await c.req.json());
    if (!given.success) return invalid(c, given.error);
    const { email_address: email, metadata, tags } = given.data;
    const { people, doubleOptIn } = c.get("newsletter");
    const known = people.get(email.toLowerCase());
    if (known) {
      const isSuppressed = ["blocked", "complained", "undeliverable"].includes(known.type);
      return error(c, 400, isSuppressed ? "subscriber_suppressed" : "email_already_exists");
    }
    if (rules.creationsLeft <= 0) return error(c, 400, "rate_limited");
    const isBeyondPlan = (tags.length > 0 && !rules.hasTags) ||
      (Object.keys(metadata).length > 0 && !rules.hasMetadata);
    if (isBeyondPlan) return error(c, 403, "feature_disabled");
    const isSpam = email.startsWith("spam");
    if (isSpam && rules.firewall === "rejects") return error(c, 400, "subscriber_blocked");
    rules.creationsLeft--;
    const type = isSpam ? "blocked" : doubleOptIn ? "unactivated" : "regular";
    const created = person(email, type, { metadata, tags });
    people.set(email.toLowerCase(), created);
    if (type === "unactivated") mails.push(email);
    return c.json(subscriberBody(created), 201);
  });

  api.get("/subscribers/:who", (c) => {
    const found = personOf(c);
    return found ? c.json(subscriberBody(found)) : error(c, 404, "not_found");
  });
  api.patch("/subscribers/:who", async (c) => {
    const found = personOf(c);
    if (!found) return error(c, 404, "not_found");
    const given = change.safeParse(await c.req.json());
    if (!given.success) return invalid(c, given.error);
    become(found, given.data.type);
    return c.json(subscriberBody(found));
  });
  api.delete("/subscribers/:who", (c) => {
    const found = personOf(c);
    if (!found) return error(c, 404, "not_found");
    c.get("newsletter").people.delete(found.email.toLowerCase());
    return c.body(null, 204);
  });
  api.post("/subscribers/:who/send-reminder", (c) => {
    const found = personOf(c);
    if (!found) return error(c, 404, "not_found");
    if (found.type !== "unactivated") return error(c, 400, "invalid_input");
    mails.push(found.email);
    return c.body(null, 200);
  });

  return {
    newsletters,
    mails,
    rules,
    handle: (request) => api.fetch(request),
    limit: (retryAfterSeconds) => retryAfter = retryAfterSeconds,
    put({ people }, email, type) {
      if (!TYPES.includes(type)) throw new Error(`Buttondown has no type ${type}`);
      const known = people.get(email.toLowerCase());
      if (known) become(known, type);
      else people.set(email.toLowerCase(), person(email, type));
    },
  };
}

function newsletter(name: string, doubleOptIn: boolean): Newsletter {
  return { id: crypto.randomUUID(), name, doubleOptIn, people: new Map() };
}

function person(
  email: string,
  type: string,
  given: Pick<Person, "metadata" | "tags"> = { metadata: {}, tags: [] },
) {
  const created: Person = { id: crypto.randomUUID(), email, type, ...given, transitions: [] };
  become(created, type);
  return created;
}

function become(person: Person, type: string): void {
  person.type = type;
  person.transitions.push({ date: new Date().toISOString(), type });
}

function personOf(c: Context<Env, "/subscribers/:who">): Person | undefined {
  const who = c.req.param("who");
  const { people } = c.get("newsletter");
  return people.get(who.toLowerCase()) ?? [...people.values()].find(({ id }) => id === who);
}

function newsletterBody({ id, name }: Newsletter) {
  return {
    id,
    creation_date: "2026-01-02T03:04:05Z",
    api_key: "the-newsletters-own-key-nobody-may-read",
    description: "",
    name,
    username: name.toLowerCase(),
  };
}

function subscriberBody({ id, email, type, metadata, tags, transitions }: Person) {
  return {
    id,
    creation_date: transitions[0]!.date,
    email_address: email,
    referral_code: id.slice(0, 8),
    secondary_id: 1,
    source: "api",
    metadata,
    tags,
    transitions,
    type,
    utm_campaign: "",
    utm_medium: "",
    utm_source: "",
  };
}

function pageBody<T>(c: Context, all: readonly T[], size: number) {
  const page = Number(c.req.query("page") ?? 1);
  const link = (number: number) => {
    const url = new URL(c.req.url);
    url.searchParams.set("page", String(number));
    return url.href;
  };
  return {
    results: all.slice((page - 1) * size, page * size),
    next: page * size < all.length ? link(page + 1) : null,
    previous: page > 1 ? link(page - 1) : null,
    count: all.length,
  };
}

/** Returns the `X-Buttondown-Signature` header of a webhook call. */
export function buttondownSignature(body: string, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}
