/**
 * A stand-in for the provider's API that responds at once, so that only the server is measured. Knows a subscriber once
 * it was posted, as active or suppressed if the address says so, else as unconfirmed.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serveCommands } from "./commands.ts";
import { type Standing, standingOf, visitorNumber } from "./signups.ts";

/** Numbers of visitors and when each was first posted, in Unix milliseconds. */
let arrivals: [visitor: number, at: number][] = [];
const subscribed = new Set<number>();
/** Their addresses, the first one first: nobody ever confirms. */
const unconfirmed: string[] = [];
const STATUSES = { visitor: "unverified", active: "active", suppressed: "suppressed" } satisfies Record<
  Standing,
  string
>;
let latest = { at: 0, request: "none" };

const PAGE_SIZE = 30;
const LIST = /\/subscriber-lists\/[^/]+\/subscribers(?:\/([^/?]+))?/;

function respond(response: ServerResponse, status: number, body: unknown) {
  const text = JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", "content-length": text.length });
  response.end(text);
}

/** One subscriber whom the server does not know, changed just now: the poll then has read all changes. */
function changes() {
  const items = [{ email: "stranger@site.example", status: "unverified", updatedAt: Date.now() }];
  return { items, count: 1 };
}

/** A page of those who have not confirmed, which the first poll reads, because it does not know earlier changes. */
function unconfirmedPage(skip: number) {
  const items = unconfirmed.slice(skip, skip + PAGE_SIZE).map((email) => ({ email, status: "unverified" }));
  const next = skip + PAGE_SIZE;
  return { items, count: unconfirmed.length, next: next < unconfirmed.length ? `?skip=${next}` : null };
}

const server = createServer((request, response) => {
  latest = { at: Date.now(), request: `${request.method} ${request.url}` };
  const [path, email] = LIST.exec(request.url ?? "") ?? [];
  if (request.method === "POST" && path !== undefined) {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk) => text += chunk);
    request.on("end", () => {
      const { email } = JSON.parse(text) as { email: string };
      const visitor = visitorNumber(email);
      if (subscribed.has(visitor) || standingOf(email) !== "visitor") {
        return respond(response, 400, { error: { message: "Subscriber already exists" } });
      }
      subscribed.add(visitor);
      unconfirmed.push(email);
      arrivals.push([visitor, Date.now()]);
      respond(response, 201, { result: { status: "unverified" } });
    });
  } else if (email !== undefined) {
    const standing = standingOf(decodeURIComponent(email));
    const known = standing !== "visitor" || subscribed.has(visitorNumber(decodeURIComponent(email)));
    if (known) respond(response, 200, { result: { status: STATUSES[standing] } });
    else respond(response, 404, { error: { message: "Subscriber not found" } });
  } else {
    const query = new URL(request.url ?? "", "http://provider.example").searchParams;
    const result = query.has("filter[status]") ? unconfirmedPage(Number(query.get("skip"))) : changes();
    respond(response, 200, { result });
  }
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

await serveCommands({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }, {
  state: () => ({
    subscribed: subscribed.size,
    idleMs: Date.now() - latest.at,
    latest: latest.request,
  }),
  /** Returns the arrivals since the last call. */
  arrivals() {
    const taken = arrivals;
    arrivals = [];
    return taken;
  },
});
