import assert from "node:assert/strict";
import { isPostgres, parsePostgresAddress, withoutPassword } from "./postgres_address.ts";

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

Deno.test("an address in a message has no password", () => {
  const addresses = [
    "postgres://cfbe:geheim@db.example/cfbe",
    "postgres://db.example/cfbe?user=a&password=geheim",
  ];
  for (const address of addresses) {
    assert.doesNotMatch(withoutPassword(address), /geheim/);
    assert.match(withoutPassword(address), /db\.example\/cfbe/);
  }
});
