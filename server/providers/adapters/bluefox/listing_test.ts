import assert from "node:assert/strict";
import { ManualClock } from "../../../../dev/testing/manual_clock.ts";
import { serveSandbox } from "../../../sandbox/testing/serve.ts";
import type { BluefoxResponse } from "./http.ts";
import { listsPage, subscribersPage } from "./listing.ts";

const page = (items: unknown[], next: unknown = null): BluefoxResponse => ({
  kind: "ok",
  status: 200,
  body: { items, count: 99, next },
});
const at = (email: string, updatedAt?: unknown) => ({ email, status: "active", updatedAt });

function times(response: BluefoxResponse): (number | undefined)[] {
  const read = subscribersPage(response, "updatedAt");
  assert.ok(read.kind === "page");
  return read.items.map((item) => item.changedAt);
}

Deno.test("a page in the requested order keeps its times", () => {
  const items = [at("a@x", "2025-01-02T00:00:00.000Z"), at("b@x", "2025-01-01T00:00:00.000Z")];
  assert.deepEqual(times(page(items)), [Date.UTC(2025, 0, 2), Date.UTC(2025, 0, 1)]);
});

Deno.test("a page in another order than requested loses its times", () => {
  const items = [at("a@x", "2025-01-01T00:00:00.000Z"), at("b@x", "2025-01-02T00:00:00.000Z")];
  assert.deepEqual(times(page(items)), [undefined, undefined]);
});

Deno.test("missing or invalid times are left out", () => {
  assert.deepEqual(times(page([at("a@x"), at("b@x", "soon"), at("c@x", {}), at("d@x", 5)])), [
    undefined,
    undefined,
    undefined,
    5,
  ]);
});

Deno.test("an invalid item does not hide the others", () => {
  const items = [{ email: "a@x", status: "sleeping" }, null, 7, { email: "b@x" }, at("c@x")];
  const read = subscribersPage(page(items), "createdAt");
  assert.deepEqual(read, {
    kind: "page",
    items: [{ email: "c@x", status: "active" }],
    emails: ["a@x", "b@x", "c@x"],
    total: 99,
    more: false,
  });
});

Deno.test("more pages follow only if this one has items and a next page", () => {
  const more = (response: BluefoxResponse) => {
    const read = subscribersPage(response, "createdAt");
    return read.kind === "page" && read.more;
  };
  assert.equal(more(page([at("a@x")], "https://api.example/?skip=30")), true);
  assert.equal(more(page([at("a@x")], null)), false);
  assert.equal(more(page([], "https://api.example/?skip=30")), false);
});

Deno.test("a response that is not a page is trouble", () => {
  const responses: BluefoxResponse[] = [
    { kind: "ok", status: 200, body: [] },
    { kind: "ok", status: 200, body: { items: {}, count: 1 } },
    { kind: "ok", status: 200, body: { items: [] } },
    { kind: "error", status: 500 },
    { kind: "failed", code: "broken", reason: "x", unknown: true },
  ];
  for (const response of responses) {
    const read = subscribersPage(response, "updatedAt");
    assert.ok(read.kind === "trouble");
    assert.equal(read.unknown, false);
    assert.equal(listsPage(response), undefined);
  }
});

Deno.test("a list without the property doubleOptIn has single opt-in", () => {
  const lists = listsPage(
    page([{ _id: "1", name: "A", doubleOptIn: { active: true } }, { _id: "2", name: "B" }, {}]),
  );
  assert.deepEqual(lists?.lists, [
    { id: "1", name: "A", doubleOptIn: true },
    { id: "2", name: "B", doubleOptIn: false },
  ]);
});

Deno.test("changes at the same time are listed completely while some of the subscribers are removed", async () => {
  const clock = new ManualClock();
  await using served = await serveSandbox({ clock });
  const provider = served.provider();
  const list = served.provisioned.lists[1]!.id;
  const emails = Array.from({ length: 65 }, (_, n) => `reader${n}@example.com`);
  for (const email of emails) await provider.subscribe({ list, email }, { tags: [] });
  const gone = new Set<string>();
  const listed = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await provider.changed(list, 0, cursor);
    assert.ok(page.kind === "page");
    for (const { email } of page.items) listed.add(email);
    for (const { email } of page.items.slice(0, 3)) {
      gone.add(email);
      await provider.erase(email);
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  assert.deepEqual(emails.filter((email) => !listed.has(email) && !gone.has(email)), []);
});
