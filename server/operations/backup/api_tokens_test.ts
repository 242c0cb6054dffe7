import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { createApiTokens } from "../../platform/tokens/store.ts";
import { tokensKey } from "../../platform/tokens/row.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { newHeader, writeBackup } from "./file.ts";
import { takeBackup } from "./snapshot.ts";
import { readBytes, restoreInto, usedService } from "./testing/backups.ts";

type App = Awaited<ReturnType<typeof usedService>>;

const tokensIn = ({ clock, services: { random, log } }: App, kv: Kv) =>
  createApiTokens({ kv, clock, random, log });

async function tokenIn(app: App, kv: Kv, name: string) {
  const added = await tokensIn(app, kv).add({ name, scopes: ["signup"], by: "ann" });
  assert(typeof added === "object");
  return added;
}

Deno.test("a backup contains no API token, not even its hash", async () => {
  await using app = await usedService();
  const { id, token } = await tokenIn(app, app.kv, "shop");
  await app.services.apiTokens.use(token);
  await app.services.apiTokens.flush();
  const text = gunzipSync(await readBytes(takeBackup(app.services))).toString();
  assert.ok(text.includes("ann@example.com"));
  for (const part of ["api_token", id, token]) assert.ok(!text.includes(part), part);
});

Deno.test("a restore brings no revoked token back, and tokens in use go on working", async () => {
  await using app = await usedService();
  await using beside = await tempKv();
  const [kept, revoked] = [await tokenIn(app, app.kv, "kept"), await tokenIn(app, app.kv, "revoked")];
  const bytes = await readBytes(takeBackup(app.services));
  await app.services.apiTokens.revoke(revoked.id);
  await restoreInto(app, beside.kv, bytes, { replaces: app.kv, replace: true });
  await restoreInto(app, app.kv, bytes, { replace: true });
  for (const kv of [beside.kv, app.kv]) {
    assert.equal((await tokensIn(app, kv).use(kept.token))?.name, "kept");
    assert.equal(await tokensIn(app, kv).use(revoked.token), undefined);
  }
});

Deno.test("a file that somebody changed adds no token", async () => {
  await using app = await usedService();
  await using other = await tempKv();
  const { token } = await tokenIn(app, app.kv, "planted");
  const planted = (await app.kv.get(tokensKey())).value;
  const header = newHeader(app.services.keyring, app.clock.now());
  const file = writeBackup(
    header,
    (async function* () {
      await Promise.resolve();
      yield { key: tokensKey(), value: planted };
      yield { key: keys.alertPast(1, "summary"), value: { v: 1 } };
    })(),
  );
  await restoreInto(app, other.kv, await readBytes(file));
  assert.ok((await other.kv.get(keys.alertPast(1, "summary"))).value);
  assert.equal(await tokensIn(app, other.kv).use(token), undefined);
});
