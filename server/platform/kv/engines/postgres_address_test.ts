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

Deno.test("an address without a host is that of PGHOST, and is encrypted unless that is this machine", () => {
  const connection = (address: string, variables: Parameters<typeof parsePostgresAddress>[1]) => {
    const { host, port, tls } = parsePostgresAddress(address, variables);
    return { host, port, tls };
  };
  const away = { PGHOST: "db.example", PGPORT: "6000" };
  for (const address of ["postgres:///cfbe", "postgres://cfbe:secret@/cfbe", "postgres://"]) {
    assert.deepEqual(connection(address, away), { host: ["db.example"], port: [6000], tls: "verify-full" });
    assert.deepEqual(connection(address, {}), { host: ["localhost"], port: [5432], tls: false });
  }
  assert.throws(() => parsePostgresAddress("postgres:///cfbe?sslmode=disable", away), /without protection/);
  assert.deepEqual(
    connection("postgres:///cfbe", { PGHOST: "one:7000,[::1],::1" }),
    { host: ["one", "::1", "::1"], port: [7000, 7000, 7000], tls: "verify-full" },
  );
  assert.deepEqual(
    connection("postgres:///cfbe", { PGHOST: "/var/run/postgresql" }),
    { host: "/var/run/postgresql", port: 5432, tls: false },
  );
  assert.deepEqual(
    connection("postgres://localhost/cfbe", away),
    { host: ["localhost"], port: [6000], tls: false },
  );
  assert.deepEqual(
    connection("postgres://one:5433,[::1],,two:5434/cfbe", away),
    { host: ["one", "::1", "localhost", "two"], port: [5433, 5433, 5433, 5434], tls: "verify-full" },
  );
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
