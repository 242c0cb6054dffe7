import assert from "node:assert/strict";
import { withoutPassword } from "./address.ts";
import { openKv } from "./open.ts";
import { DatabaseUnusable } from "./unusable.ts";

Deno.test("an address in a message has no password, whatever characters that has", () => {
  const table: Record<string, string> = {
    "postgres://cfbe:geheim@db.example/cfbe": "postgres://cfbe:…@db.example/cfbe",
    "postgres://cfbe:gehe@im@db.example:1/cfbe": "postgres://cfbe:…@db.example:1/cfbe",
    "postgres://cfbe:geh:eim@one:1,two:2/cfbe?sslmode=require":
      "postgres://cfbe:…@one:1,two:2/cfbe?sslmode=require",
    "postgres://cfbe@db.example/cfbe": "postgres://cfbe@db.example/cfbe",
    "postgres://db.example/cfbe?user=a&password=geheim": "postgres://db.example/cfbe?user=a&password=…",
    "postgres://db.example/cfbe?pass=geheim&connections=3": "postgres://db.example/cfbe?pass=…&connections=3",
    "postgres://cfbe:geheim/1@db.example/cfbe": "postgres://…",
    "postgres://cfbe:12/geheim@db.example/cfbe": "postgres://…",
    "postgres://cfbe:12?geheim@db.example/cfbe": "postgres://…",
    "postgres://cfbe:12?a=geheim@db.example/cfbe": "postgres://…",
    "postgres://cfbe:12#geheim@db.example/cfbe": "postgres://…",
    "postgres://cfbe:geheim": "postgres://…",
    "https://user:geheim@kv.example/kv": "https://…:…@kv.example/kv",
    "https://geheim@kv.example/kv?key=geheim": "https://…@kv.example/kv?key=…",
    "https://user:gehe/im@kv.example": "https://…",
    "https://kv.example:4512/kv": "https://kv.example:4512/kv",
    "mysql://cfbe:geheim@db.example/cfbe": "mysql://…:…@db.example/cfbe",
    "data/a@b:c.kv": "data/a@b:c.kv",
    ":memory:": ":memory:",
  };
  for (const [address, shown] of Object.entries(table)) assert.equal(withoutPassword(address), shown);
});

for (
  const address of [
    "postgres://cfbe:geheim/tail@127.0.0.1:1/db",
    "postgres://cfbe:geheim?tail@127.0.0.1:1/db",
    "postgres://cfbe:geheim#tail@127.0.0.1:1/db",
    "postgres://cfbe:geheim%@127.0.0.1:1/db",
    "postgres://cfbe:geheim@127.0.0.1:99999/db",
  ]
) {
  Deno.test(`the error for ${address} says how to write a password, and does not contain it`, async () => {
    await assert.rejects(openKv(address), ({ name, message }: Error) => {
      assert.equal(name, DatabaseUnusable.name);
      assert.match(message, /malformed: .*write %40 for @/);
      assert.doesNotMatch(message, /geheim|tail/);
      return true;
    });
  });
}

for (const address of ["https://user:geheim@127.0.0.1:1/kv", "https://user:gehe/im@127.0.0.1:1/kv"]) {
  Deno.test(`the error for ${address} has no password`, async () => {
    await assert.rejects(openKv(address), ({ name, message }: Error) => {
      assert.equal(name, DatabaseUnusable.name);
      assert.doesNotMatch(message, /gehe|im@/);
      return true;
    });
  });
}

Deno.test("an address of another kind of server is not taken for a file", async () => {
  for (const address of ["mysql://cfbe:geheim@db.example/cfbe", "POSTGRES://cfbe:geheim@db.example/cfbe"]) {
    await assert.rejects(openKv(address), ({ name, message }: Error) => {
      assert.equal(name, DatabaseUnusable.name);
      assert.match(message, /does not support.*postgres:/);
      assert.doesNotMatch(message, /geheim/);
      return true;
    });
  }
});
