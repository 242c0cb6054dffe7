import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { gunzipSync, gzipSync } from "node:zlib";
import { bootstrap } from "../../bootstrap.ts";
import type { CartRow } from "../../carts/cart.ts";
import { createKeyring } from "../../keys/keyring.ts";
import type { JobRow } from "../../jobs/row.ts";
import { keys } from "../../kv/keys.ts";
import { createMarkers } from "../../mail/markers.ts";
import { OrderSchema } from "../../shop/order.ts";
import { API_KEY, type Harness, harness, LIST, SECRET } from "../../testing/harness.ts";
import { tempKv } from "../../testing/temp_kv.ts";
import { FAMILIES } from "./families.ts";
import { BadBackup, newHeader, readBackup, writeBackup } from "./file.ts";
import { restore, type RestoreOptions } from "./restore.ts";
import { takeBackup } from "./snapshot.ts";

type Bytes = Uint8Array<ArrayBuffer>;

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Bytes> {
  return new Uint8Array(await new Response(stream as ReadableStream<Bytes>).arrayBuffer());
}

const streamOf = (bytes: Bytes) => new Blob([bytes]).stream();

/** Restores with what a bench has, into another database. */
function into(b: Harness, kv: Deno.Kv, bytes: Bytes, more: Partial<RestoreOptions> = {}) {
  return restore({ ...b.services, kv, open: () => Promise.resolve(streamOf(bytes)), ...more });
}

async function rows(kv: Deno.Kv): Promise<Map<string, unknown>> {
  const found = await Array.fromAsync(kv.list({ prefix: [] }));
  return new Map(found.map(({ key, value }) => [Deno.inspect(key, { colors: false }), value]));
}

/** A database in which a bit of everything has happened. */
async function lived(): Promise<Harness> {
  const b = await harness();
  await b.services.settings.save("general", { apiKey: "saved-provider-key", projectId: "p" });
  for (const name of ["ann", "ben", "cyd"]) {
    await (await b.post({ email: `${name}@example.com` })).body?.cancel();
  }
  await b.work();
  b.provider.put(LIST, "ben@example.com", "active");
  await (await b.hook({ type: "open" })).body?.cancel();
  await (await b.post({ email: "dan@example.com" })).body?.cancel();
  await b.services.counters.flush();
  await b.services.webhookCalls.flush();
  return b;
}

Deno.test("whatever the database can hold survives: big numbers, bytes, counters, dates, holes and odd keys", async () => {
  await using b = await harness();
  await using other = await tempKv();
  const odd = {
    n: [1n, -1n, 2n ** 80n, NaN, -0, Infinity],
    bytes: new Uint8Array([0, 255]),
    date: new Date(5),
    map: new Map([["k", new Set([1])]]),
    none: undefined,
    text: "line\nbreak \u2028 </script> {",
    again: [{ $: "u64" }, null],
  };
  const key = [...keys.all(), "odd", new Uint8Array([1, 2]), 1n, -0.5, true, "ä\u0000"];
  await b.kv.set(key, odd);
  await b.kv.atomic().sum([...keys.all(), "sum"], 7n).commit();
  await b.kv.set([...keys.all(), "long"], "x".repeat(60_000));
  await into(b, other.kv, await bytesOf(takeBackup(b.services)));
  assert.deepEqual((await other.kv.get(key)).value, odd);
  const sum = (await other.kv.get<Deno.KvU64>([...keys.all(), "sum"])).value;
  assert.ok(sum instanceof Deno.KvU64 && sum.value === 7n);
  assert.deepEqual(await rows(other.kv), await rows(b.kv));
});

Deno.test("a restored database is the one that was backed up, but that no job is trusted to have done nothing", async () => {
  await using b = await lived();
  await using other = await tempKv();
  const running = await b.queue.claim(1);
  assert.equal(running.length, 1);
  const done = await into(b, other.kv, await bytesOf(takeBackup(b.services)));
  assert.equal(done.delivered, 0);
  const before = await rows(b.kv);
  const after = await rows(other.kv);
  const job = Deno.inspect(keys.job(running[0]!.row.id), { colors: false });
  // deno-lint-ignore no-explicit-any -- a row as it stands
  const restored = after.get(job) as any;
  assert.deepEqual([restored.unknown, restored.lease.token, restored.lease.until], [true, "", b.clock.now()]);
  for (const map of [before, after]) {
    for (const name of map.keys()) if (/"(job|due)"/.test(name)) map.delete(name);
  }
  assert.deepEqual(after, before);
});

Deno.test("a backup holds no salt and no secret, and is read by nobody who changes a byte of it", async () => {
  await using b = await lived();
  await using other = await tempKv();
  const bytes = await bytesOf(takeBackup(b.services));
  const text = gunzipSync(bytes).toString();
  assert.ok(text.includes("ann@example.com"));
  for (const secret of ["saved-provider-key", API_KEY, SECRET, "a salt for tests"]) {
    assert.ok(!text.includes(secret), secret);
  }
  const spoilt: [Buffer, RegExp][] = [
    [gzipSync(text.replace("ann@", "eve@")), /checksum/],
    [gzipSync(text.replace(/\[\[1.*\n/, "")), /checksum/],
    [gzipSync(text.slice(0, text.length / 2)), /cut off|makes no sense/],
    [gzipSync(text.split("\n").slice(0, -2).join("\n") + "\n"), /cut off/],
    [gzipSync(text + text), /behind the backup's last line/],
    [gzipSync(text.replace('"v":1', '"v":2')), /version 2/],
    [gzipSync(""), /cut off/],
    [gzipSync('{"a":1}\n'), /no backup of cfbe/],
    [Buffer.from(bytes.slice(0, bytes.length / 2)), /cut off/],
    [Buffer.from("plain text"), /no gzip file/],
  ];
  for (const [content, says] of spoilt) {
    await assert.rejects(into(b, other.kv, new Uint8Array(content)), { name: "BadBackup", message: says });
  }
  assert.equal((await rows(other.kv)).size, 0, "nothing is written of a file that is not whole");
  assert.ok((await readBackup(streamOf(bytes))).rows > 10);
});

Deno.test("a database that is not empty, or under another salt, is refused and stays as it is, unless told otherwise", async () => {
  await using b = await lived();
  await using other = await tempKv();
  const bytes = await bytesOf(takeBackup(b.services));
  await other.kv.set([...keys.all(), "mine"], 1);
  await assert.rejects(into(b, other.kv, bytes), { name: "RestoreRefused", because: "not_empty" });
  const keyring = createKeyring(["another salt, and that is a long one as well"]);
  await assert.rejects(into(b, other.kv, bytes, { keyring, replace: true }), { because: "other_salt" });
  assert.equal((await rows(other.kv)).size, 1);
  await into(b, other.kv, bytes, { keyring, replace: true, otherSalt: true });
  assert.equal((await other.kv.get([...keys.all(), "mine"])).value, null);
  assert.ok((await other.kv.get(keys.signup("ann@example.com", LIST))).value);
});

Deno.test("where processes share the database, it is restored only while deactivated, and stays so", async () => {
  await using b = await lived();
  await using other = await tempKv();
  const bytes = await bytesOf(takeBackup(b.services));
  const shared = { shared: true, replace: true };
  await into(b, other.kv, bytes, shared);
  const again = () => into(b, other.kv, bytes, shared);
  await assert.rejects(again, { because: "active" });
  const at = b.clock.now();
  await other.kv.set(keys.activation(), { v: 1, active: false, at });
  await b.clock.advance(29_999);
  await assert.rejects(again, { because: "active" });
  await b.clock.advance(1);
  await other.kv.set([...keys.all(), "late"], "written by another process");
  await again();
  assert.deepEqual((await other.kv.get(keys.activation())).value, { v: 1, active: false, at });
  assert.equal((await other.kv.get([...keys.all(), "late"])).value, null);
  assert.ok((await other.kv.get(keys.signup("ann@example.com", LIST))).value);
});

Deno.test("a restore that dies half-way leaves a database that no service starts on, and that the next one completes", async () => {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-restore-" });
  try {
    await using b = await lived();
    const bytes = await bytesOf(takeBackup(b.services));
    const file = `${folder}/cfbe.kv`;
    const kv = await Deno.openKv(file);
    const mortal = new Proxy(kv, {
      get: (target, name) => {
        if (name === "atomic") {
          return () => {
            throw new Error("killed");
          };
        }
        const member = Reflect.get(target, name, target);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
    await assert.rejects(into(b, mortal, bytes), /killed/);
    kv.close();
    const env = {
      CFBE_KV: file,
      CFBE_SALT: "a salt for tests, long enough to be one",
      CFBE_API_TOKEN: "x".repeat(20),
    };
    await assert.rejects(bootstrap(env, { write: () => {} }), /restore of this database was broken off/);
    const again = await Deno.openKv(file);
    await into(b, again, bytes);
    assert.ok((await again.get(keys.signup("dan@example.com", LIST))).value);
    again.close();
    await (await bootstrap(env, { write: () => {} })).close(0);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a signup of which only half was read while it came is whole after the restore, or not there", async () => {
  await using b = await harness();
  await using other = await tempKv();
  for (const name of ["ann", "ben"]) await (await b.post({ email: `${name}@example.com` })).body?.cancel();
  // As if ann's job had been done, and ben's record been written after records were read.
  for await (const { key } of b.kv.list({ prefix: keys.family("job") })) await b.kv.delete(key);
  await b.kv.delete(keys.signup("ben@example.com", LIST));
  const { delivered } = await into(b, other.kv, await bytesOf(takeBackup(b.services)));
  assert.equal(delivered, 1);
  assert.doesNotMatch([...(await rows(other.kv)).keys()].join("\n"), /ben@/);
});

Deno.test("every kind of row says how it gets into a backup", () => {
  const kinds = new Set<string>();
  for (const make of Object.values(keys) as ((...parts: unknown[]) => Deno.KvKey)[]) {
    const kind = make(...Array.from({ length: make.length }, () => "x"))[2];
    if (typeof kind === "string" && kind !== "x") kinds.add(kind);
  }
  assert.deepEqual([...kinds].toSorted(), Object.keys(FAMILIES).toSorted());
});

Deno.test("an order's mail that waits in a backup counts as sent after the restore: it may have left since", async () => {
  const modules = { orderEmails: true };
  await using b = await harness({
    settings: { general: { modules }, orders: { templates: { processing: "t" } } },
  });
  await using other = await tempKv();
  const order = { id: "1", status: "processing", email: "ann@example.com", total: 1 };
  await b.services.orders.accept(OrderSchema.parse(order));
  await into(b, other.kv, await bytesOf(takeBackup(b.services)));
  const markers = createMarkers(b.services.keyring);
  assert.ok((await other.kv.get(markers.orderMailed(markers.order("1"), "processing"))).value);
  assert.deepEqual(await Array.fromAsync(other.kv.list({ prefix: keys.family("job") })), []);
});

Deno.test("carts are restored with their places, and count as mailed: their mail may have left since", async () => {
  await using b = await harness({ settings: { general: { modules: { carts: true } } } });
  await using other = await tempKv();
  const session = "x".repeat(22);
  await b.services.carts.change(session, { email: "ann@example.com" });
  await into(b, other.kv, await bytesOf(takeBackup(b.services)));
  const id = createMarkers(b.services.keyring).cartOf(session);
  const [before, after] = await Promise.all(
    [b.kv, other.kv].map(async (kv) => (await kv.get<CartRow>(keys.cart(id))).value),
  );
  assert.deepEqual(after, { ...before, mail: { at: b.clock.now(), state: "unknown" } });
  assert.ok((await other.kv.get(keys.cartOf("ann@example.com", id))).versionstamp);
  assert.deepEqual((await other.kv.get(keys.cartBytes())).value, (await b.kv.get(keys.cartBytes())).value);
});

Deno.test("a whole file with a row that can't be written is refused before what is there is deleted", async () => {
  await using b = await lived();
  const before = await rows(b.kv);
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  const [job] = await Array.fromAsync(b.kv.list<JobRow>({ prefix: keys.family("job") }, { limit: 1 }));
  const unfit: [Deno.KvKey, unknown][] = [
    [job!.key, { ...job!.value, payload: cycle }],
    [[...keys.all(), "signup", "eve@example.com", LIST], { v: 2 }],
    [[...keys.all(), "job", "x"], { v: 1, id: "x", state: "dead" }],
    [["s", "another site", "mark", "x", "y"], 1],
    [[...keys.all(), "mark", { not: "a part" } as unknown as string], 1],
  ];
  for (const [key, value] of unfit) {
    const file = writeBackup(
      newHeader(b.services.keyring, 1),
      (async function* () {
        yield* [{ key, value }];
      })(),
    );
    await assert.rejects(into(b, b.kv, await bytesOf(file), { replace: true }), BadBackup, Deno.inspect(key));
    assert.deepEqual(await rows(b.kv), before);
  }
});
