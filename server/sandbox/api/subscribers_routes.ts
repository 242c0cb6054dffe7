import { Hono } from "hono";
import { z } from "zod";
import type { Context } from "../account/context.ts";
import { confirm, join, transition } from "../account/transitions.ts";
import { readLists } from "../account/project.ts";
import { type ListRow, SUBSCRIBER_STATUSES, type SubscriberRow } from "../account/rows.ts";
import { listSubscribers, readSubscriber, resendConfirmation } from "../account/subscribers.ts";
import { testBehaviorOf } from "../account/test_addresses.ts";
import { readContact, readFields } from "../account/contacts.ts";
import { withFields } from "./custom_properties.ts";
import {
  address,
  fail,
  invalid,
  notFound,
  ok,
  page,
  personName,
  readJson,
  readPaging,
  tagList,
} from "./envelope.ts";

const newSubscriber = z.object({
  email: address,
  name: personName.default(""),
  tags: tagList.default([]),
  status: z.enum(["unverified", "active"]).optional(),
});

const patch = z.object({
  status: z.enum(["active", "paused", "unsubscribed"]),
  pausedUntil: z.iso.datetime({ offset: true }).transform((date) => Date.parse(date)).optional(),
});

const filters = z.object({
  "filter[status]": z.enum(SUBSCRIBER_STATUSES).optional().catch(undefined),
  "filter[email]": address.optional().catch(undefined),
});

/**
 * Serves `subscriber-lists` and everything below. Source: the page "Subscriber Lists" of the provider's
 * documentation.
 */
export function subscriberRoutes(context: Context, origin: string): Hono {
  const app = new Hono();
  const { kv } = context;
  const findList = async (id: string) => (await readLists(kv)).find((list) => list.id === id);

  app.get("/", async (c) => {
    const query = readPaging(c);
    const lists = (await readLists(kv)).sort((a, b) => compareLists(a, b, query.sort));
    if (query.order === "desc") lists.reverse();
    const items = lists.slice(query.skip, query.skip + query.limit).map(listShape);
    return page(c, origin, items, lists.length, query);
  });

  app.get("/:id", async (c) => {
    const list = await findList(c.req.param("id"));
    return list ? ok(c, listShape(list)) : notFound(c, "Subscriber list");
  });

  app.get("/:id/subscribers", async (c) => {
    const list = await findList(c.req.param("id"));
    if (!list) return notFound(c, "Subscriber list");
    const query = readPaging(c);
    const filter = filters.parse(c.req.query());
    const { items, count } = await listSubscribers(kv, list.id, {
      ...query,
      sort: query.sort === "name" ? "email" : query.sort,
      status: filter["filter[status]"],
      email: filter["filter[email]"],
    });
    return page(c, origin, items.map(subscriberShape), count, query);
  });

  app.post("/:id/subscribers", async (c) => {
    const list = await findList(c.req.param("id"));
    if (!list) return notFound(c, "Subscriber list");
    const body = withFields(newSubscriber, await readFields(kv)).safeParse(await readJson(c));
    if (!body.success) return invalid(c, body.error);
    const { status, ...person } = body.data;
    const behavior = testBehaviorOf(person.email);
    if (behavior === "bounced") {
      return fail(c, 405, "METHOD_NOT_ALLOWED", "This email address has been flagged for bouncing.");
    }
    if (behavior === "suppressed") {
      return fail(c, 405, "METHOD_NOT_ALLOWED", "This email address is on the suppression list.");
    }
    await readSubscriber(context, list.id, person.email);
    const result = await join(context, list.id, person, status);
    if (result.kind === "no_list") return notFound(c, "Subscriber list");
    if (result.kind === "exists") return fail(c, 400, "VALIDATION_ERROR", "Email already exists.");
    if (behavior === "auto") {
      context.background.run("sandbox.auto_confirm_failed", async () => {
        await confirm(context, { list: list.id, email: person.email });
      });
    }
    return ok(c, subscriberShape(result.subscriber), 201);
  });

  app.get("/:id/subscribers/:email", async (c) => {
    const email = address.safeParse(c.req.param("email")).data;
    const found = email && await readSubscriber(context, c.req.param("id"), email);
    return found ? ok(c, subscriberShape(found)) : notFound(c, "Subscriber");
  });

  app.patch("/:id/subscribers/:email", async (c) => {
    const body = patch.safeParse(await readJson(c));
    if (!body.success) return invalid(c, body.error);
    const { status, pausedUntil } = body.data;
    if (status === "paused" && !(pausedUntil !== undefined && pausedUntil > context.clock.now())) {
      return fail(c, 400, "VALIDATION_ERROR", "pausedUntil: a future date is needed to pause");
    }
    const email = address.safeParse(c.req.param("email")).data;
    const result = email && await transition(
      context,
      { list: c.req.param("id"), email },
      () => ({ status, ...(status === "paused" && pausedUntil ? { pausedUntil } : {}) }),
    );
    if (!result || result.kind === "absent") return notFound(c, "Subscriber");
    return ok(c, subscriberShape(result.subscriber));
  });

  app.post("/:id/contacts/:email/resend-verification-email", async (c) => {
    const email = address.safeParse(c.req.param("email")).data;
    if (!email || !await readContact(kv, email)) return notFound(c, "Contact");
    const result = await resendConfirmation(context, c.req.param("id"), email);
    if (result === "absent") return notFound(c, "Contact");
    if (result === "sent") return ok(c, { success: true });
    return fail(c, 400, "VALIDATION_ERROR", "The contact is not awaiting verification on this list.");
  });

  return app;
}

function listShape(list: ListRow) {
  return {
    _id: list.id,
    name: list.name,
    description: "",
    private: list.private,
    doubleOptIn: { active: list.doubleOptIn },
    createdAt: new Date(list.createdAt).toISOString(),
    updatedAt: new Date(list.createdAt).toISOString(),
  };
}

function subscriberShape(row: SubscriberRow) {
  return {
    email: row.email,
    status: row.status,
    customFields: {},
    ...(row.pausedUntil ? { pausedUntil: new Date(row.pausedUntil).toISOString() } : {}),
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  };
}

function compareLists(a: ListRow, b: ListRow, sort: string): number {
  return sort === "name" ? a.name.localeCompare(b.name) : a.createdAt - b.createdAt;
}
