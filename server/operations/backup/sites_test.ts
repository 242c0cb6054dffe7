import assert from "node:assert/strict";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { createSites } from "../../platform/tokens/sites/store.ts";
import { createApiTokens } from "../../platform/tokens/store.ts";
import { takeBackup } from "./snapshot.ts";
import { readBytes, restoreInto, usedService } from "./testing/backups.ts";

type App = Awaited<ReturnType<typeof usedService>>;

/** The sites and tokens of a process that has started with a database. */
async function processOn({ clock, services: { random, log, keyring } }: App, kv: Kv) {
  const apiTokens = createApiTokens({ kv, clock, random, log });
  const sites = createSites({ kv, clock, random, log, keyring, apiTokens });
  await sites.refresh();
  return { apiTokens, sites };
}

async function siteIn(app: App, name: string) {
  const url = `https://${name}.example`;
  const added = await app.services.sites.add({ url, name, by: "ann", scopes: ["signup"], modules: [] });
  assert(typeof added === "object");
  return added;
}

Deno.test("a restore brings no revoked site back, and sites in use go on signing and calling", async () => {
  await using app = await usedService();
  await using beside = await tempKv();
  const [kept, revoked] = [await siteIn(app, "kept"), await siteIn(app, "revoked")];
  const bytes = await readBytes(takeBackup(app.services));
  await app.services.sites.revoke(revoked.site, "ann");
  await restoreInto(app, beside.kv, bytes, { replaces: app.kv, replace: true });
  await restoreInto(app, app.kv, bytes, { replace: true });
  for (const kv of [beside.kv, app.kv]) {
    const { sites, apiTokens } = await processOn(app, kv);
    assert.ok(sites.isConnected(kept.site) && !sites.isConnected(revoked.site));
    assert.equal((await apiTokens.use(kept.token))?.site, kept.site);
    assert.equal(await apiTokens.use(revoked.token), undefined);
  }
});

Deno.test("into an empty database, a restore brings sites back, so that their forms keep their lists, and no tokens", async () => {
  await using app = await usedService();
  await using empty = await tempKv();
  const { site, token } = await siteIn(app, "shop");
  await restoreInto(app, empty.kv, await readBytes(takeBackup(app.services)));
  const { sites, apiTokens } = await processOn(app, empty.kv);
  assert.ok(sites.isConnected(site));
  assert.equal(await apiTokens.use(token), undefined);
  const again = await sites.add({
    url: "https://shop.example",
    name: "",
    by: "ann",
    scopes: ["read"],
    modules: [],
  });
  assert.ok(typeof again === "object" && again.site === site, "connected again, it keeps its key");
});
