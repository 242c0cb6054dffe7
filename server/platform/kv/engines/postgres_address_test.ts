import assert from "node:assert/strict";
import { isPostgres } from "../address.ts";
import { parsePostgresAddress } from "./postgres_address.ts";

const TLS: Record<string, unknown> = {
  "postgres://cfbe:secret@db.example/cfbe": "verify-full",
  "postgresql://cfbe@db.example:5433/cfbe?sslmode=verify-full": "verify-full",
  "postgres://cfbe@localhost,db.example/cfbe": "verify-full",
  "postgres://cfbe@db.example/cfbe?sslmode=require": "require",
  "postgres://cfbe@localhost/cfbe": false,
  "postgres://cfbe@127.0.0.1:5432/cfbe?sslmode=disable": false,
  "postgres://cfbe@%2Fvar%2Frun%2Fpostgresql/cfbe": false,
};

for (const [address, tls] of Object.entries(TLS)) {
  Deno.test(`${address} is ${tls ? `encrypted: ${tls}` : "not encrypted"}`, () => {
    assert.ok(isPostgres(address));
    assert.equal(parsePostgresAddress(address).tls, tls);
  });
}

Deno.test("data goes over the network only encrypted", () => {
  for (const mode of ["disable", "allow", "prefer"]) {
    assert.throws(
      () => parsePostgresAddress(`postgres://cfbe@db.example/cfbe?sslmode=${mode}`),
      /without protection/,
    );
  }
});

Deno.test("an address may say how many connections to keep, which the server is not told", () => {
  const parsed = parsePostgresAddress("postgres://cfbe@localhost/cfbe?connections=3&sslmode=disable");
  assert.deepEqual([parsed.connections, parsed.url], [3, "postgres://cfbe@localhost/cfbe?sslmode=disable"]);
  assert.equal(
    parsePostgresAddress("postgres://localhost/cfbe?connections=3").url,
    "postgres://localhost/cfbe",
  );
  assert.throws(() => parsePostgresAddress("postgres://localhost/cfbe?connections=many"), /whole number/);
});

Deno.test("user and password may contain @ and encoded characters, and each ends where it does in a message", () => {
  const table: Record<string, [string, string[]]> = {
    "postgres://cfbe:a@b@db.example/cfbe": ["postgres://cfbe:a%40b@localhost/cfbe", ["db.example"]],
    "postgres://cf@be:a@one,two/cfbe": ["postgres://cf%40be:a@localhost/cfbe", ["one", "two"]],
    "postgres://cfbe:%2F%3f@[::1]/cfbe": ["postgres://cfbe:%2F%3F@localhost/cfbe", ["::1"]],
    "postgres://cfbe:a@localhost@db.example/cfbe": [
      "postgres://cfbe:a%40localhost@localhost/cfbe",
      ["db.example"],
    ],
  };
  for (const [address, [url, host]] of Object.entries(table)) {
    const parsed = parsePostgresAddress(address);
    assert.deepEqual([parsed.url, parsed.host], [url, host]);
  }
});
