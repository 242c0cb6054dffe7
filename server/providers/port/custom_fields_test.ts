import assert from "node:assert/strict";
import { customFieldCreator, REFUSED_FOR_MS } from "./custom_fields.ts";
import type { Trouble } from "./trouble.ts";

interface Field {
  name: string;
  type: "text" | "number";
}

const OUTAGE: Trouble = { kind: "trouble", code: "unavailable", reason: "HTTP 503", unknown: true };

const stored = (values: Record<string, string | number>) => ({ kind: "values", values, omitted: {} });

/** An account whose fields have the names of their properties, except one that it refuses. */
function account(fields: Field[] = []) {
  const state = { name: "first", down: "", now: 0, sent: [] as string[] };
  const fieldsOf = customFieldCreator<Field>({
    account: () => state.name,
    read() {
      state.sent.push("read");
      return Promise.resolve(state.down === "read" ? OUTAGE : { kind: "fields", fields: [...fields] });
    },
    create(name, value) {
      state.sent.push(`create ${name}`);
      if (state.down === "create") return Promise.resolve(OUTAGE);
      if (name === "forbidden") return Promise.resolve({ kind: "refused" });
      if (name === "raced") {
        fields.push({ name, type: "text" });
        return Promise.resolve({ kind: "exists" });
      }
      const field: Field = { name, type: typeof value === "number" ? "number" : "text" };
      fields.push(field);
      return Promise.resolve({ kind: "created", field });
    },
    find: (known, property) => known.find(({ name }) => name === property),
    entry: ({ name, type }, value) =>
      type === "number" && typeof value !== "number" ? undefined : [name, value],
  }, () => state.now);
  return { state, fieldsOf };
}

Deno.test("fields are read once and created once, and without properties nothing is sent", async () => {
  const { state, fieldsOf } = account([{ name: "size", type: "text" }]);
  assert.deepEqual(await fieldsOf({}), stored({}));
  assert.deepEqual(state.sent, []);
  for (const guests of [2, 3]) {
    assert.deepEqual(await fieldsOf({ size: "l", guests }), stored({ size: "l", guests }));
  }
  assert.deepEqual(state.sent, ["read", "create guests"]);
});

Deno.test("a property whose field is refused or can't hold the value is left out, with the reason", async () => {
  const { fieldsOf } = account([{ name: "guests", type: "number" }]);
  assert.deepEqual(await fieldsOf({ forbidden: "x", guests: "many", size: "l" }), {
    kind: "values",
    values: { size: "l" },
    omitted: { forbidden: "refused", guests: "type" },
  });
});

Deno.test("a refused field is asked for again only after a while, so that a move does not send two requests more for everybody", async () => {
  const { state, fieldsOf } = account();
  for (const now of [0, REFUSED_FOR_MS - 1, REFUSED_FOR_MS]) {
    state.now = now;
    assert.deepEqual(await fieldsOf({ forbidden: "x" }), {
      kind: "values",
      values: {},
      omitted: { forbidden: "refused" },
    });
  }
  assert.deepEqual(state.sent, ["read", "create forbidden", "read", "create forbidden"]);
  state.name = "second";
  await fieldsOf({ forbidden: "x" });
  assert.equal(state.sent.length, 6, "another account may accept it");
});

Deno.test("a field that another process has just created is used, and not created again", async () => {
  const { state, fieldsOf } = account();
  for (let time = 0; time < 2; time++) {
    assert.deepEqual(await fieldsOf({ raced: "x" }), stored({ raced: "x" }));
  }
  assert.deepEqual(state.sent, ["read", "create raced", "read"]);
});

Deno.test("an outage is trouble without an effect, and the next call tries again", async () => {
  for (const down of ["read", "create"]) {
    const { state, fieldsOf } = account();
    state.down = down;
    assert.deepEqual(await fieldsOf({ size: "l" }), { ...OUTAGE, unknown: false });
    state.down = "";
    assert.deepEqual(await fieldsOf({ size: "l" }), stored({ size: "l" }));
  }
});

Deno.test("after a change of the account, its fields are read again", async () => {
  const { state, fieldsOf } = account([{ name: "size", type: "text" }]);
  await fieldsOf({ size: "l" });
  state.name = "second";
  await fieldsOf({ size: "l" });
  assert.deepEqual(state.sent, ["read", "read"]);
});
