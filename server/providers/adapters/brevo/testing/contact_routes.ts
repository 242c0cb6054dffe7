import type { Context, Hono } from "hono";
import { type Account, type AccountContact, recentStatistics } from "./account.ts";
import { isEmail, isNumber, isNumbers, isText, member, problem } from "./double.ts";

/** Adds the routes about contacts, lists and attributes. */
export function addContactRoutes(api: Hono, account: Account, pageMax: number): void {
  const missing = (c: Context, what: string) =>
    problem(c, 404, "document_not_found", `${what} does not exist`);
  const invalid = (c: Context, message: string) => problem(c, 400, "invalid_parameter", message);
  const hasLists = (ids: number[]) => ids.every((id) => account.lists.some((list) => list.id === id));
  const unknownAttribute = (attributes: Record<string, unknown> = {}) =>
    Object.keys(attributes).find((name) => !account.attributes.has(name));

  /** Returns the part of a list that was asked for; undefined if the limit is too high. */
  function page<T>(c: Context, all: readonly T[], max: number): T[] | undefined {
    const limit = Number(c.req.query("limit") ?? 50);
    const offset = Number(c.req.query("offset") ?? 0);
    return limit <= max ? all.slice(offset, offset + Math.min(limit, pageMax)) : undefined;
  }

  api.get("/contacts/lists", (c) => {
    const lists = account.lists.map((list) => ({ ...list, folderId: 1, uniqueSubscribers: 0 }));
    const found = page(c, lists, 50);
    if (!found) return problem(c, 400, "out_of_range", "limit exceeds max value");
    return c.json({ lists: found, count: lists.length });
  });

  api.get("/contacts/lists/:id/contacts", (c) => {
    const id = Number(c.req.param("id"));
    if (!hasLists([id])) return missing(c, "List ID");
    const since = Date.parse(c.req.query("modifiedSince") ?? "1970-01-01T00:00:00Z");
    if (Number.isNaN(since)) return invalid(c, "modifiedSince is not a date-time");
    const all = [...account.contacts.values()]
      .filter(({ listIds, modifiedAt }) => listIds.includes(id) && modifiedAt > since)
      .sort((a, b) => c.req.query("sort") === "asc" ? a.id - b.id : b.id - a.id);
    const found = page(c, all, 500);
    if (!found) return problem(c, 400, "out_of_range", "limit exceeds max value");
    const contacts = found.map((contact) => {
      const { statistics: _, ...rest } = shown(contact);
      return rest;
    });
    return c.json({ contacts, count: all.length });
  });

  api.get("/contacts/attributes", (c) => {
    const attributes = [...account.attributes].map(([name, type]) => ({ name, category: "normal", type }));
    return c.json({ attributes });
  });
  api.post("/contacts/attributes/normal/:name", async (c) => {
    const name = c.req.param("name");
    const { type } = await c.req.json();
    if (!/^[A-Z0-9_]{1,50}$/.test(name) || (type !== "text" && type !== "float")) {
      return invalid(c, "attribute name or type is invalid");
    }
    if (account.attributes.has(name)) return invalid(c, "Attribute name already exists");
    if (account.attributes.size >= account.mostAttributes) {
      return invalid(c, "The limit of attributes is reached");
    }
    account.attributes.set(name, type);
    return c.body(null, 201);
  });

  api.post("/contacts/doubleOptinConfirmation", async (c) => {
    const body: Record<string, unknown> = await c.req.json();
    const { attributes = {} } = body as { attributes?: Record<string, unknown> };
    const email = member(body, "email", isEmail);
    const listIds = member(body, "includeListIds", isNumbers);
    const template = account.templates.get(member(body, "templateId", isNumber) ?? 0);
    if (email === undefined) return invalid(c, "Invalid email address");
    if (!listIds || listIds.length === 0) {
      return problem(c, 400, "missing_parameter", "includeListIds is missing");
    }
    if (!hasLists(listIds)) return invalid(c, "List ID does not exist");
    if (!member(body, "redirectionUrl", isText)) {
      return problem(c, 400, "missing_parameter", "redirectionUrl is missing");
    }
    if (!template?.isActive || template.tag !== "optin") {
      return invalid(c, "An active DOI template does not exist");
    }
    if (unknownAttribute(attributes)) return invalid(c, "attribute does not exist");
    if (account.find(email)?.emailBlacklisted) {
      return problem(c, 400, "duplicate_parameter", "email is already associated with another Contact");
    }
    account.mail(email);
    account.unconfirmed.push({ email: email.toLowerCase(), listIds, attributes });
    return c.body(null, account.find(email) ? 204 : 201);
  });

  // Some descriptions of the API say that `listIds` adds lists, others that it sets them. Setting is the harder case.
  api.post("/contacts", async (c) => {
    const body = await c.req.json();
    if (!isEmail(body.email)) return invalid(c, "Invalid email address");
    const { attributes = {}, listIds = [], updateEnabled } = body;
    if (!hasLists(listIds)) return invalid(c, "List ID does not exist");
    if (unknownAttribute(attributes)) return invalid(c, "attribute does not exist");
    const before = account.find(body.email);
    if (before && !updateEnabled) {
      return problem(c, 400, "duplicate_parameter", "Contact already exist");
    }
    const contact = account.put(body.email);
    account.change(contact, {
      attributes: { ...contact.attributes, ...attributes },
      listIds: body.listIds ?? contact.listIds,
    });
    return before ? c.body(null, 204) : c.json({ id: contact.id }, 201);
  });

  api.get("/contacts/:identifier", (c) => {
    const contact = account.find(c.req.param("identifier"));
    return contact ? c.json(shown(contact)) : missing(c, "Contact");
  });
  api.put("/contacts/:identifier", async (c) => {
    const contact = account.find(c.req.param("identifier"));
    if (!contact) return missing(c, "Contact");
    const { emailBlacklisted = contact.emailBlacklisted, listIds = contact.listIds } = await c.req.json();
    if (!hasLists(listIds)) return invalid(c, "List ID does not exist");
    account.change(contact, {
      emailBlacklisted,
      listIds,
      listUnsubscribed: contact.listUnsubscribed.filter((id) => !listIds.includes(id)),
    });
    return c.body(null, 204);
  });
  api.delete("/contacts/:identifier", (c) => {
    const contact = account.find(c.req.param("identifier"));
    if (!contact) return missing(c, "Contact");
    account.contacts.delete(contact.email);
    return c.body(null, 204);
  });
}

function shown({ createdAt, modifiedAt, statistics, ...contact }: AccountContact) {
  return {
    ...contact,
    statistics: recentStatistics(statistics),
    smsBlacklisted: false,
    createdAt: new Date(createdAt).toISOString(),
    modifiedAt: new Date(modifiedAt).toISOString(),
  };
}
