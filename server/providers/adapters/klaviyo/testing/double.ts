import { createHmac } from "node:crypto";
import { z } from "zod";
import type { ProviderDouble } from "../../../testing/serve_double.ts";
import { type Account, createAccount, type List, type Profile } from "./account.ts";
import { listBody, pageBody, profileBody } from "./bodies.ts";

/**
 * Klaviyo for tests, as far as the adapter uses it. Written from the specification of revision 2026-07-15. What that does
 * not say (the codes of errors, and when a job fails) is written from Klaviyo's guides.
 */
export interface KlaviyoDouble extends ProviderDouble {
  account: Account;
}

const MEDIA_TYPE = "application/vnd.api+json";

/** An error response. */
class Rejection extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly source: { pointer?: string; parameter?: string } = {},
  ) {
    super(message);
  }
}

const invalid = (message: string, pointer: string) =>
  new Rejection(400, "invalid", message, { pointer: `/data/${pointer}` });
const badParameter = (parameter: string) =>
  new Rejection(400, "invalid", `'${parameter}' is not valid.`, { parameter });

const profileOf = <T extends z.ZodType>(attributes: T) =>
  z.object({ type: z.literal("profile"), attributes });
const subscribeJob = z.object({
  data: z.object({
    type: z.literal("profile-subscription-bulk-create-job"),
    attributes: z.strictObject({
      custom_source: z.string().optional(),
      historical_import: z.boolean().default(false),
      profiles: z.object({
        data: z.array(profileOf(z.strictObject({
          email: z.string(),
          subscriptions: z.object({
            email: z.object({
              marketing: z.strictObject({
                consent: z.literal("SUBSCRIBED"),
                consented_at: z.iso.datetime().optional(),
              }),
            }),
          }),
        }))).min(1).max(1000),
      }),
    }),
    relationships: z.object({
      list: z.object({ data: z.object({ type: z.literal("list"), id: z.string() }) }),
    }),
  }),
});
const deletionJob = z.object({
  data: z.object({
    type: z.literal("data-privacy-deletion-job"),
    attributes: z.object({ profile: z.object({ data: profileOf(z.object({ email: z.string() })) }) }),
  }),
});
const upsert = z.object({
  data: profileOf(z.object({
    email: z.string(),
    first_name: z.string().nullable().optional(),
    last_name: z.string().nullable().optional(),
    properties: z.record(z.string(), z.unknown()).default({}),
  })),
});

interface Given {
  ids: string[];
  body: unknown;
  url: URL;
}

/** Returns the status and the body, which a job does not have. */
type Handler = (account: Account, given: Given) => [status: number, body?: unknown];

const ROUTES: readonly [method: string, path: RegExp, handle: Handler][] = [
  ["GET", /^\/api\/lists$/, ({ lists }, { url }) => {
    const body = pageBody([...lists.values()], {
      url,
      keyOf: ({ id }) => id,
      bodyOf: (list) => listBody(list, url),
      max: 10,
      size: 10,
    });
    if (!body) throw badParameter("page[size]");
    return [200, body];
  }],
  ["GET", /^\/api\/lists\/([^/]+)$/, (account, { ids, url }) => {
    return [200, { data: listBody(listOf(account, ids[0]!), url) }];
  }],
  ["GET", /^\/api\/lists\/([^/]+)\/profiles$/, (account, { ids, url }) => {
    const { id } = listOf(account, ids[0]!);
    return [200, profilesPage(account, { url, list: id })];
  }],
  [
    "GET",
    /^\/api\/profiles$/,
    (account, { url }) => [200, profilesPage(account, { url })],
  ],
  ["POST", /^\/api\/profile-import$/, importProfile],
  ["POST", /^\/api\/profile-subscription-bulk-create-jobs$/, (account, { body }) => {
    const { attributes: { profiles, historical_import }, relationships } = parsed(subscribeJob, body).data;
    const { id } = listOf(account, relationships.list.data.id, "relationships/list/data/id");
    profiles.data.forEach(({ attributes: { email, subscriptions } }, at) => {
      const pointer = `attributes/profiles/data/${at}/attributes`;
      checkEmail(email, `${pointer}/email`);
      const { consented_at } = subscriptions.email.marketing;
      const isPast = consented_at !== undefined && Date.parse(consented_at) < Date.now();
      if (historical_import ? !isPast : consented_at !== undefined) {
        throw invalid("consented_at is not valid.", `${pointer}/subscriptions`);
      }
      account.queue(() =>
        account.subscribe(email, id, historical_import ? { consentedAt: consented_at! } : {})
      );
    });
    return [202];
  }],
  ["POST", /^\/api\/data-privacy-deletion-jobs$/, (account, { body }) => {
    const { email } = parsed(deletionJob, body).data.attributes.profile.data.attributes;
    account.queue(() => void account.profiles.delete(email.toLowerCase()));
    return [202];
  }],
];

function parsed<T>(schema: z.ZodType<T>, body: unknown): T {
  const found = schema.safeParse(body);
  if (!found.success) {
    throw invalid("The payload is not valid.", found.error.issues[0]!.path.slice(1).join("/"));
  }
  return found.data;
}

function checkEmail(email: string, pointer: string): void {
  if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) throw invalid("Invalid email address", pointer);
}

function listOf({ lists }: Account, id: string, pointer?: string): List {
  const found = lists.get(id);
  if (found) return found;
  throw new Rejection(404, "not_found", `A list with id ${id} does not exist.`, {
    ...(pointer !== undefined && { pointer: `/data/${pointer}` }),
  });
}

/** Returns a page of profiles, filtered by the address or by the time of joining the list. */
function profilesPage({ profiles, pageMax }: Account, { url, list }: { url: URL; list?: string }) {
  const filter = url.searchParams.get("filter") ?? "";
  const [, quoted] = /^equals\(email,(".*")\)$/.exec(filter) ?? [];
  const [, since] = /^greater-or-equal\(joined_group_at,(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\)$/.exec(filter) ??
    [];
  if (quoted === undefined && (since === undefined || list === undefined)) throw badParameter("filter");
  const joinedAt = ({ joined }: Profile) => list === undefined ? "" : joined.get(list)!;
  const named = quoted === undefined ? undefined : profiles.get(JSON.parse(quoted).toLowerCase());
  const rows = (quoted === undefined ? [...profiles.values()] : named ? [named] : []).filter((profile) =>
    (list === undefined || profile.joined.has(list)) &&
    (since === undefined || Date.parse(joinedAt(profile)) >= Date.parse(since))
  );
  const body = pageBody(rows, {
    url,
    keyOf: (profile) => `${joinedAt(profile)} ${profile.id}`,
    bodyOf: (profile) => profileBody(profile, { url, ...(list !== undefined && { list }) }),
    max: 100,
    size: 20,
    pageMax,
  });
  if (!body) throw badParameter("page[size]");
  return body;
}

function importProfile(account: Account, { body, url }: Given): [number, unknown] {
  const { email, first_name, last_name, properties } = parsed(upsert, body).data.attributes;
  checkEmail(email, "attributes/email");
  const isNew = !account.profiles.has(email.toLowerCase());
  const profile = account.profile(email);
  if (first_name !== undefined) profile.firstName = first_name;
  if (last_name !== undefined) profile.lastName = last_name;
  Object.assign(profile.properties, properties);
  return [isNew ? 201 : 200, { data: profileBody(profile, { url }) }];
}

/** Creates the double. */
export function createKlaviyoDouble(key: string): KlaviyoDouble {
  const account = createAccount();
  let retryAfter: number | undefined;

  async function respond(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (retryAfter !== undefined) throw new Rejection(429, "throttled", "Request was throttled.");
    if (request.headers.get("authorization") !== `Klaviyo-API-Key ${key}`) {
      throw new Rejection(401, "not_authenticated", "Authentication credentials were not provided.");
    }
    if (request.headers.get("revision") !== "2026-07-15") {
      throw new Rejection(400, "invalid", "The revision header is not valid.");
    }
    const text = await request.text();
    if (text !== "" && request.headers.get("content-type") !== MEDIA_TYPE) {
      throw new Rejection(415, "unsupported_media_type", "Unsupported media type.");
    }
    for (const [method, path, handle] of ROUTES) {
      const ids = request.method === method ? path.exec(url.pathname)?.slice(1) : undefined;
      if (!ids) continue;
      const [status, body] = handle(account, { ids, url, body: text === "" ? undefined : JSON.parse(text) });
      return document(status, body);
    }
    throw new Rejection(404, "not_found", "The requested path could not be found.");
  }

  return {
    account,
    limit: (retryAfterSeconds) => retryAfter = retryAfterSeconds,
    async handle(request) {
      const response = await respond(request).catch((error) => {
        if (!(error instanceof Rejection)) throw error;
        const { status, code, message, source } = error;
        const id = crypto.randomUUID();
        return document(status, { errors: [{ id, status, code, title: "Error.", detail: message, source }] });
      });
      response.headers.set("date", new Date().toUTCString());
      if (response.status === 429) response.headers.set("retry-after", String(retryAfter));
      return response;
    },
  };
}

function document(status: number, body: unknown): Response {
  return body === undefined
    ? new Response(null, { status })
    : new Response(JSON.stringify(body), { status, headers: { "content-type": MEDIA_TYPE } });
}

/** Returns the `Klaviyo-Signature` header of a system webhook's call. */
export function klaviyoSignature(body: string, time: string, secret: string): string {
  return createHmac("sha256", secret).update(body).update(time).digest("hex");
}
