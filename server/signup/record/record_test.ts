import assert from "node:assert/strict";
import fc from "fast-check";
import { LIST_STATUSES, LOCAL_STATUSES } from "../../../shared/outcomes.ts";
import { keys } from "../../platform/kv/keys.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { applySignup, putRecord, RETURNED } from "./record.ts";
import type { Signup, SignupRecord } from "./row.ts";
import { applyListStatus, move, MOVES } from "./states.ts";

const signup = (more: Partial<Signup> = {}): Signup => ({
  email: "ada@example.com",
  list: "l",
  provider: "bluefox",
  tags: [],
  source: "popup",
  consent: { given: false, locale: "en", ip: null },
  ...more,
});
const before = (status: SignupRecord["status"]): SignupRecord => ({
  ...applySignup(null, signup({ name: "Ada", tags: ["a"] }), 1),
  status,
});

Deno.test("the first signup creates a queued record with at most 50 tags and no duplicates", () => {
  const tags = [...Array(70).keys()].flatMap((i) => [`t${i}`, `t${i}`]);
  const record = applySignup(null, signup({ tags, name: "Ada", form: "footer" }), 7);
  assert.deepEqual(record, {
    v: 1,
    email: "ada@example.com",
    list: "l",
    provider: "bluefox",
    status: "queued",
    since: 7,
    tags: [...Array(50).keys()].map((i) => `t${i}`),
    source: "popup",
    form: "footer",
    name: "Ada",
    createdAt: 7,
    updatedAt: 7,
  });
});

for (const status of LOCAL_STATUSES) {
  const becomes = status === "failed" || status === "expired" ? "queued" : status;
  Deno.test(`after another signup, a record that was ${status} is ${becomes}`, () => {
    const after = applySignup(before(status), signup({ tags: ["a", "b"], name: "Eve", source: "promo" }), 9);
    assert.equal(after.status, becomes);
    assert.equal(after.since, becomes === status ? 1 : 9);
    // An active record keeps its name, tags and fields, because anyone can sign up with the address.
    const [name, tags] = status === "active" ? ["Ada", ["a"]] : ["Eve", ["a", "b"]];
    assert.deepEqual([after.name, after.tags, after.source, after.createdAt], [name, tags, "popup", 1]);
    const fields = applySignup(
      { ...before(status), fields: { size: "s", city: "Bonn" } },
      signup({ fields: { size: "l" } }),
      9,
    ).fields;
    assert.deepEqual(fields, { size: status === "active" ? "s" : "l", city: "Bonn" });
  });
}

for (const status of LOCAL_STATUSES) {
  const isNew = status === "failed" || status === "expired";
  Deno.test(`another signup of a record that was ${status} counts for ${isNew ? "its own" : "the first one's"} variants`, () => {
    const first = { ...before(status), variants: ["x1/a"] };
    assert.deepEqual(applySignup(first, signup({ variants: ["x1/b"] }), 9).variants, [
      isNew ? "x1/b" : "x1/a",
    ]);
    assert.deepEqual(applySignup(first, signup(), 9).variants, isNew ? undefined : ["x1/a"]);
  });
}

Deno.test("after any changes, the index by status has one entry for the record under its current status, and one if it awaits another confirmation", async () => {
  await using temp = await tempKv();
  const step = fc.oneof(
    fc.constant("signup" as const),
    fc.constantFrom(...LIST_STATUSES.map((seen) => `read ${seen}` as const)),
    fc.constantFrom(...LOCAL_STATUSES.map((to) => `move ${to}` as const)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      for await (const { key } of temp.kv.list({ prefix: [] })) await temp.kv.delete(key);
      let record: SignupRecord | null = null;
      for (const [now, what] of steps.entries()) {
        const [verb, word] = what.split(" ") as [string, never];
        let after: SignupRecord = record ?? applySignup(null, signup(), now);
        if (verb === "signup") after = applySignup(record, signup(), now);
        else if (verb === "read") after = applyListStatus(after, word, "poll", now);
        else if (MOVES[after.status].includes(word)) after = move(after, word, now);
        await putRecord(temp.kv.atomic(), record, after).commit();
        record = after;
      }
      const rows = (await Array.fromAsync(temp.kv.list({ prefix: ["s", "main", "by_status"] }))).map((
        { key },
      ) => key);
      const { status, since, listStatus, pendingSince } = record!;
      assert.ok(pendingSince === undefined || (status === "active" && listStatus === "pending"));
      assert.deepEqual(rows, [
        keys.byStatus(status, "l", since, "ada@example.com"),
        ...(pendingSince === undefined
          ? []
          : [keys.byStatus(RETURNED, "l", pendingSince, "ada@example.com")]),
      ]);
    }),
  );
});

for (const status of LOCAL_STATUSES) {
  const moves = status === "failed" || status === "expired";
  Deno.test(`a signup for another provider ${moves ? "takes over" : "leaves"} a record that is ${status}`, () => {
    const old = { ...before(status), listStatus: "unsubscribed" } as const;
    const after = applySignup(old, signup({ provider: "brevo" }), 9);
    assert.equal(after.provider, moves ? "brevo" : "bluefox");
    // What the old provider reported says nothing about the new one.
    assert.equal(after.listStatus, moves ? undefined : "unsubscribed");
    assert.equal(applySignup(old, signup(), 9).listStatus, "unsubscribed");
  });
}
