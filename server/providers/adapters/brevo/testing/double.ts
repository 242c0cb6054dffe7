import { Hono } from "hono";
import type { Context } from "hono";
import type { ProviderDouble } from "../../../testing/serve_double.ts";
import { type Account, createAccount } from "./account.ts";
import { addContactRoutes } from "./contact_routes.ts";

/** A Brevo for tests, written from its documentation: the part of its API that the adapter uses, with its data. */
export interface BrevoDouble extends ProviderDouble {
  account: Account;
}

type Status = 400 | 401 | 404;

/** Returns a response in the form of Brevo's errors. */
export function problem(c: Context, status: Status, code: string, message: string) {
  return c.json({ code, message }, status);
}

/** Returns the member of a body; undefined if it has another type. */
export function member<T>(body: Record<string, unknown>, name: string, is: (value: unknown) => value is T) {
  const value = body[name];
  return is(value) ? value : undefined;
}
export const isNumber = (value: unknown): value is number => Number.isSafeInteger(value);
export const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
export const isNumbers = (value: unknown): value is number[] => Array.isArray(value) && value.every(isNumber);
export const isEmail = (value: unknown): value is string =>
  isText(value) && /^[^\s@]+@[^\s@]+\.\w+$/.test(value);

/** Creates a double without lists or contacts, with an active template for confirmation emails. Its API is at `/v3`. */
export function createBrevoDouble(key: string, pageMax: number): BrevoDouble {
  const account = createAccount();
  const root = new Hono();
  const api = root.basePath("/v3");
  let retryAfter: number | undefined;

  api.use(async (c, next) => {
    if (retryAfter !== undefined) {
      for (const [name, value] of [["limit", 10], ["remaining", 0], ["reset", retryAfter]] as const) {
        c.header(`x-sib-ratelimit-${name}`, String(value));
      }
      return c.json({ message: "Too many requests" }, 429);
    }
    if (c.req.header("api-key") !== key) return problem(c, 401, "unauthorized", "Key not found");
    await next();
  });

  api.get("/account", (c) =>
    c.json({
      email: "owner@example.com",
      firstName: "Ada",
      lastName: "Lovelace",
      companyName: "Analytical Engines",
      plan: [{ type: "free", credits: 300, creditsType: "sendLimit" }],
    }));

  addContactRoutes(api, account, pageMax);

  api.get("/smtp/templates/:id", (c) => {
    const template = account.templates.get(Number(c.req.param("id")));
    if (!template) return problem(c, 404, "document_not_found", "Template ID does not exist");
    const { name, isActive, tag } = template;
    return c.json({ id: Number(c.req.param("id")), name, isActive, tag, doiTemplate: tag === "optin" });
  });

  api.post("/smtp/email", async (c) => {
    const body = await c.req.json();
    if (!account.templates.has(body.templateId)) {
      return problem(c, 400, "invalid_parameter", "templateId does not exist");
    }
    const versions: { to?: { email: string }[] }[] = body.messageVersions ?? [body];
    const addresses = versions.flatMap(({ to }) => to ?? []).map(({ email }) => email);
    if (addresses.length === 0) return problem(c, 400, "missing_parameter", "to is missing");
    if (!addresses.every(isEmail)) return problem(c, 400, "invalid_parameter", "email is not valid in to");
    if ("params" in body && Object.keys(body.params).length === 0) {
      return problem(c, 400, "missing_parameter", "params is blank");
    }
    for (const email of addresses) account.mail(email);
    const messageIds = addresses.map((_, index) => `<${index}@smtp-relay.mailin.fr>`);
    return c.json(body.messageVersions ? { messageIds } : { messageId: messageIds[0] }, 201);
  });

  api.get("/webhooks", (c) => {
    if (account.webhooks.length === 0) {
      return problem(c, 404, "document_not_found", "No webhooks found");
    }
    const type = c.req.query("type");
    return c.json({ webhooks: account.webhooks.filter((webhook) => webhook.type === type) });
  });
  api.post("/webhooks", async (c) => {
    const body = await c.req.json();
    if (!isWebhook(body)) return problem(c, 400, "invalid_parameter", "url or events are invalid");
    if (account.webhooks.length >= 40) return problem(c, 400, "invalid_parameter", "webhook limit reached");
    const id = account.nextId();
    account.webhooks.push({ ...body, id });
    return c.json({ id }, 201);
  });
  api.put("/webhooks/:id", async (c) => {
    const webhook = account.webhooks.find(({ id }) => id === Number(c.req.param("id")));
    if (!webhook) return problem(c, 404, "document_not_found", "Webhook not found");
    const changed = { ...webhook, ...await c.req.json() };
    if (!isWebhook(changed)) return problem(c, 400, "invalid_parameter", "url or events are invalid");
    Object.assign(webhook, changed);
    return c.body(null, 204);
  });
  api.delete("/webhooks/:id", (c) => {
    const index = account.webhooks.findIndex(({ id }) => id === Number(c.req.param("id")));
    if (index === -1) return problem(c, 404, "document_not_found", "Webhook not found");
    account.webhooks.splice(index, 1);
    return c.body(null, 204);
  });
  root.notFound((c) => problem(c, 404, "not_found", "no such route"));
  return {
    account,
    limit: (retryAfterSeconds) => retryAfter = retryAfterSeconds,
    handle: async (request) => await root.fetch(request),
  };
}

const MARKETING_EVENTS = [
  "spam",
  "opened",
  "click",
  "hardBounce",
  "softBounce",
  "unsubscribed",
  "listAddition",
  "contactUpdated",
  "contactDeleted",
  "delivered",
];

function isWebhook({ url, events, type }: { url?: unknown; events?: unknown; type?: unknown }): boolean {
  return isText(url) && url.startsWith("https://") && type === "marketing" && Array.isArray(events) &&
    events.length > 0 && events.every((event) => MARKETING_EVENTS.includes(event));
}
