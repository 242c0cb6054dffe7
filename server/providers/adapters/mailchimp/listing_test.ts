import assert from "node:assert/strict";
import type { PageResult } from "../../port/port.ts";
import { membersPage, nextPosition } from "./listing.ts";
import { serveMailchimp } from "./testing/serve.ts";

Deno.test("the next page of changes starts at the latest change, and counts members only within one second", () => {
  const next = (since: number, offset: number, latest: number, count = 500) =>
    nextPosition({ since, offset }, { count, total: 10_000, latest });
  assert.deepEqual(next(100, 0, 200), { since: 199, offset: 0 });
  assert.deepEqual(next(100, 0, 101), { since: 100, offset: 400 });
  assert.deepEqual(next(100, 400, 101), { since: 100, offset: 800 });
  assert.deepEqual(next(100, 800, 103), { since: 102, offset: 0 });
  assert.deepEqual(next(100, 0, 101, 1), { since: 100, offset: 1 }, "it always advances");
  assert.equal(next(100, 0, 101, 0), undefined);
  assert.equal(nextPosition({ since: 1, offset: 0 }, { count: 9, total: 9, latest: 5 }), undefined);
});

async function emailsOf(read: (cursor?: string) => Promise<PageResult>, between = () => {}) {
  const emails = new Set<string>();
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await read(cursor);
    assert.ok(page.kind === "page" && pages++ < 40);
    for (const { email } of page.items) emails.add(email);
    cursor = page.cursor;
    between();
  } while (cursor !== undefined);
  return emails;
}

Deno.test("changes are listed completely over many pages, while members change, join and are deleted", async () => {
  await using served = await serveMailchimp();
  const { account, double, audiences: [list] } = served;
  double.pageSize = 10;
  const now = Math.floor(Date.now() / 1000) * 1000;
  const emails = Array.from({ length: 60 }, (_, index) => `reader${index}@example.com`);
  // The first 30 changed in the same second.
  emails.forEach((email, index) => {
    const changedAt = now - 100_000 + Math.max(0, index - 29) * 1000;
    Object.assign(account.add(list, email, { status: "subscribed" }), { changedAt });
  });
  const members = account.audiences.get(list)!.members;
  const deleted = new Set<string>();
  const listed = await emailsOf((cursor) => served.provider().changed(list, 0, cursor), () => {
    const [hash, first] = [...members][0]!;
    deleted.add(first.email);
    members.delete(hash);
    account.put(list, emails[59]!, "unsubscribed");
  });
  assert.deepEqual(emails.filter((email) => !listed.has(email) && !deleted.has(email)), []);
});

Deno.test("changes since a time leave out earlier ones, and people who are not on the list", async () => {
  await using served = await serveMailchimp();
  const { account, audiences: [list] } = served;
  const at = Date.parse("2026-11-22T13:00:10Z");
  account.add(list, "old@example.com").changedAt = at - 5000;
  account.add(list, "same@example.com").changedAt = at;
  account.add(list, "buyer@example.com", { status: "transactional" }).changedAt = at;
  const page = await served.provider().changed(list, at);
  assert.ok(page.kind === "page");
  assert.deepEqual(page.items, [{ email: "same@example.com", status: "pending", changedAt: at }]);
});

Deno.test("people who have not confirmed, and audiences, are listed over several pages", async () => {
  await using served = await serveMailchimp();
  const { account, double, audiences: [list] } = served;
  double.pageSize = 10;
  const emails = Array.from({ length: 25 }, (_, index) => `reader${index}@example.com`);
  for (const email of emails) account.add(list, email);
  assert.deepEqual(
    [...await emailsOf((cursor) => served.provider().unconfirmed(list, cursor))].toSorted(),
    emails.toSorted(),
  );
  for (let more = 0; more < 700; more++) {
    const id = account.newId();
    account.audiences.set(id, {
      id,
      name: "More",
      members: new Map(),
      forgotten: new Set(),
      hooks: [],
      mergeFields: new Map(),
    });
  }
  const lists = await served.provider().lists();
  assert.ok(lists.kind === "lists");
  assert.equal(new Set(lists.lists.map(({ id }) => id)).size, 702);
});

Deno.test("an invalid member does not hide the others, and an answer that is not a page is refused", () => {
  const valid = {
    email_address: "a@x.example",
    status: "pending",
    last_changed: "2026-11-22T13:00:00+00:00",
  };
  const page = membersPage({
    kind: "ok",
    status: 200,
    body: { members: [null, 7, { status: "pending" }, { ...valid, status: "x" }, valid], total_items: 9 },
  });
  assert.deepEqual(page?.items.map(({ email }) => email), ["a@x.example"]);
  assert.deepEqual([page?.count, page?.total], [5, 9]);
  for (const body of [{}, { members: {} }, { members: [] }, { members: [], total_items: -1 }]) {
    assert.equal(membersPage({ kind: "ok", status: 200, body }), undefined);
  }
});
