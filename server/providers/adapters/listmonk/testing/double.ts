import { Hono } from "hono";
import type { Context } from "hono";
import type { ProviderDouble } from "../../../testing/serve_double.ts";
import { createPeople, type Membership, type Person } from "./people.ts";

/** A listmonk for tests: the part of its API that the adapter uses, with the behavior of version 6. */
export interface ListmonkDouble extends ProviderDouble {
  /** Addresses to which it sent an email, in order. */
  mails: string[];
  /** Returns the number of people. */
  size(): number;
  /** Yields the address and status of everyone on a list. */
  members(list: string): Iterable<[email: string, status: string]>;
  /** Returns the attributes of an address; undefined if there is no such person. */
  attributesOf(email: string): Readonly<Record<string, unknown>> | undefined;
  /** Adds a list, and returns its ID. */
  addList(name: string, optin: "single" | "double"): string;
  /** Takes a permission from the API user. */
  revoke(permission: string): void;
  /** Adds a template, and returns its ID. */
  addTemplate(name: string, type: "tx" | "campaign"): string;
  /** Makes every email from templates fail with a message, as listmonk's language says it; "" ends that. */
  refuseMails(message: string): void;
  confirm(list: string, email: string): void;
  unsubscribe(list: string, email: string): void;
  /** Puts an address on the blocklist. */
  blocklist(email: string): void;
  /** Records a bounce or a complaint. listmonk can be set to unsubscribe the person from all lists. */
  bounce(email: string, type: "hard" | "complaint"): void;
  /** Whether the API user has the permission `bounces:get`. */
  showBounces(shows: boolean): void;
  /** While it is down, listmonk answers that it has created a person, without a word about the email. */
  mailServer(state: "up" | "down"): void;
}

interface List {
  id: number;
  name: string;
  optin: "single" | "double";
}

interface PersonBody {
  email?: string;
  name?: string;
  attribs?: Record<string, unknown>;
  lists?: number[];
  preconfirm_subscriptions?: boolean;
}

/** `user:token` of the API user. */
export const TOKEN = "cfbe:a-token-of-the-double";
const MAX_PER_PAGE = 50;

const PERMISSIONS: readonly (readonly [route: RegExp, permission: string])[] = [
  [/^GET \/lists/, "lists:get_all"],
  [/^GET \/templates/, "templates:get"],
  [/^GET \/subscribers/, "subscribers:get_all"],
  [/^\w+ \/subscribers/, "subscribers:manage"],
  [/^POST \/tx/, "tx:send"],
];
/** Permissions that depend on more than the route. */
const UNCHECKED = ["subscribers:get", "lists:manage_all"];

/** Creates a double without lists or people. It is at `/lists.example`. */
export function createListmonkDouble(): ListmonkDouble {
  const people = createPeople();
  const lists: List[] = [];
  const templates = new Map<number, { name: string; type: string }>();
  const mails: string[] = [];
  let permissions: readonly string[] = [...new Set([...PERMISSIONS.map(([, name]) => name), ...UNCHECKED])];
  let ids = 0;
  let retryAfter: number | undefined;
  let isMailServerDown = false;
  let showsBounces = true;
  let mailError = "";
  const bounces = new Map<number, ("hard" | "complaint")[]>();

  const byId = (c: Context) => people.byId(Number(c.req.param("id")));
  const data = (c: Context, value: unknown) => c.json({ data: value });
  const problem = (c: Context, status: 400 | 403 | 409 | 429 | 500, message: string) =>
    c.json({ message }, status);
  const notFound = (c: Context, email = "") => problem(c, 400, `subscriber (0: ${email}) not found`);

  function shown({ memberships, ...person }: Person) {
    return {
      ...person,
      lists: [...memberships].map(([id, { status, changedAt }]) => ({
        ...lists.find((list) => list.id === id),
        subscription_status: status,
        subscription_updated_at: changedAt.toISOString(),
      })),
    };
  }

  /** Sends one email for all of these lists that the person has to confirm. Returns false if the mail server is down. */
  function sendOptIn({ email, memberships }: Person, among: number[] = []): boolean {
    const waits = [...memberships].some(([id, { status }]) =>
      status === "unconfirmed" && (among.length === 0 || among.includes(id)) &&
      lists.find((list) => list.id === id)?.optin === "double"
    );
    if (waits && isMailServerDown) return false;
    if (waits) mails.push(email);
    return true;
  }

  const api = new Hono();
  api.get("/profile", (c) => data(c, { username: "cfbe", type: "api", user_role: { id: 2, permissions } }));
  // Each route needs its permission, as in listmonk's own table of routes.
  api.use("*", async (c, next) => {
    const route = `${c.req.method} ${c.req.path.replace(/^.*\/api/, "")}`;
    const needed = PERMISSIONS.find(([pattern]) => pattern.test(route))?.[1];
    if (needed && !permissions.includes(needed)) return problem(c, 403, `permission denied: ${needed}`);
    return await next();
  });
  api.get("/lists", (c) => data(c, lists.length === 0 ? [] : { results: lists, total: lists.length }));
  api.get("/templates/:id", (c) => {
    const found = templates.get(Number(c.req.param("id")));
    return found ? data(c, found) : problem(c, 400, "template not found");
  });
  api.get("/subscribers", (c) => {
    const { search = "", list_id, subscription_status: status } = c.req.query();
    const found = (search === "" ? people.all() : people.matching(search)).filter(({ memberships }) => {
      if (list_id === undefined) return true;
      const membership = memberships.get(Number(list_id));
      return membership !== undefined && (status === undefined || membership.status === status);
    });
    const size = Math.min(Number(c.req.query("per_page") ?? 20), MAX_PER_PAGE);
    const from = (Number(c.req.query("page") ?? 1) - 1) * size;
    return data(c, { results: found.slice(from, from + size).map(shown), total: found.length });
  });
  api.post("/subscribers", async (c) => {
    const body: PersonBody = await c.req.json();
    const email = String(body.email ?? "").toLowerCase();
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) return problem(c, 400, `Invalid e-mail ${email}`);
    if (people.byEmail(email)) return problem(c, 409, "E-mail already exists.");
    const name = body.name || email.split("@")[0]!;
    const person: Person = { id: ++ids, email, name, status: "enabled", attribs: {}, memberships: new Map() };
    Object.assign(person.attribs, body.attribs);
    for (const id of body.lists ?? []) {
      addTo(person, id, body.preconfirm_subscriptions ? "confirmed" : "unconfirmed");
    }
    people.add(person);
    if (!body.preconfirm_subscriptions) sendOptIn(person, body.lists);
    return data(c, shown(person));
  });
  api.patch("/subscribers/:id", async (c) => {
    const person = byId(c);
    if (!person) return notFound(c);
    const { name, attribs, preconfirm_subscriptions }: PersonBody = await c.req.json();
    if (name !== undefined && name !== "") people.rename(person, name);
    if (attribs) person.attribs = attribs;
    if (!preconfirm_subscriptions) sendOptIn(person);
    return data(c, shown(person));
  });
  api.post("/subscribers/:id/optin", (c) => {
    const person = byId(c);
    if (!person) return notFound(c);
    return sendOptIn(person) ? data(c, true) : problem(c, 500, "Error sending opt-in e-mail.");
  });
  api.get("/subscribers/:id/bounces", (c) => {
    if (!showsBounces) return problem(c, 403, "permission denied: bounces:get");
    return data(c, (bounces.get(Number(c.req.param("id"))) ?? []).map((type) => ({ type })));
  });
  api.get("/subscribers/:id", (c) => {
    const person = byId(c);
    return person ? data(c, shown(person)) : notFound(c);
  });
  api.put("/subscribers/lists", async (c) => {
    const body: { ids: number[]; target_list_ids: number[]; status?: Membership["status"] } = await c.req
      .json();
    if (!body.target_list_ids.every((id) => lists.some((list) => list.id === id))) {
      const cause = 'pq: insert or update on table "subscriber_lists" violates foreign key constraint ' +
        '"subscriber_lists_list_id_fkey"';
      return problem(c, 500, `Error updating Subscribers: ${cause}`);
    }
    for (const person of body.ids.map(people.byId)) {
      for (const id of body.target_list_ids) if (person) addTo(person, id, body.status);
    }
    return data(c, true);
  });
  api.delete("/subscribers/:id", (c) => {
    people.remove(Number(c.req.param("id")));
    return data(c, true);
  });
  api.post("/tx", async (c) => {
    const body: { subscriber_emails: string[]; template_id: number } = await c.req.json();
    if (!templates.has(body.template_id)) return problem(c, 400, `template ${body.template_id} not found`);
    if (mailError) return problem(c, 400, mailError);
    mails.push(...body.subscriber_emails);
    return data(c, true);
  });

  /** Adds a membership. Without a status, an existing one stays as it is. */
  function addTo(person: Person, id: number, status: Membership["status"] | undefined) {
    if (!lists.some((list) => list.id === id)) return;
    if (person.memberships.has(id) && status === undefined) return;
    person.memberships.set(id, { status: status ?? "unconfirmed", changedAt: new Date() });
  }

  const root = new Hono();
  root.use("/lists.example/api/*", async (c, next) => {
    if (retryAfter !== undefined) {
      return c.json({ message: "slow down" }, 429, { "Retry-After": String(retryAfter) });
    }
    if (c.req.header("authorization") !== `token ${TOKEN}`) return problem(c, 403, "invalid API credentials");
    await next();
  });
  root.route("/lists.example/api", api);

  function change(list: string, email: string, status: Membership["status"]) {
    people.byEmail(email)!.memberships.set(Number(list), { status, changedAt: new Date() });
  }

  return {
    handle: (request) => root.fetch(request),
    limit: (retryAfterSeconds) => retryAfter = retryAfterSeconds,
    bounce(email, type) {
      const person = people.byEmail(email)!;
      bounces.set(person.id, [...bounces.get(person.id) ?? [], type]);
      for (const membership of person.memberships.values()) membership.status = "unsubscribed";
    },
    showBounces: (shows) => showsBounces = shows,
    mailServer: (state) => isMailServerDown = state === "down",
    mails,
    size: people.size,
    *members(list) {
      for (const { email, memberships } of people.all()) {
        const membership = memberships.get(Number(list));
        if (membership) yield [email, membership.status];
      }
    },
    attributesOf: (email) => people.byEmail(email)?.attribs,
    addList(name, optin) {
      lists.push({ id: ++ids, name, optin });
      return String(ids);
    },
    revoke: (permission) => permissions = permissions.filter((each) => each !== permission),
    refuseMails: (message) => void (mailError = message),
    addTemplate(name, type) {
      templates.set(++ids, { name, type });
      return String(ids);
    },
    confirm: (list, email) => change(list, email, "confirmed"),
    unsubscribe: (list, email) => change(list, email, "unsubscribed"),
    blocklist(email) {
      const known = people.byEmail(email);
      const person: Person = known ??
        { id: ++ids, email, name: "", status: "blocklisted", attribs: {}, memberships: new Map() };
      person.status = "blocklisted";
      for (const membership of person.memberships.values()) membership.status = "unsubscribed";
      if (!known) people.add(person);
    },
  };
}
