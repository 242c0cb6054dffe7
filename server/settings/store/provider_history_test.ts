import assert from "node:assert/strict";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { PROVIDERS } from "../../providers/providers.ts";
import { createProviderHistory } from "./provider_history.ts";
import { SettingsSchema } from "../schema/schema.ts";

/** Returns the history of a process, and a function that changes the provider in its settings. */
function processOn(kv: Kv) {
  let settings = SettingsSchema.parse({});
  const history = createProviderHistory({
    kv,
    clock: new ManualClock(),
    random: seededRandom(1),
    settings: { current: () => settings, providers: PROVIDERS },
  });
  const keys = Object.fromEntries(
    Object.values(PROVIDERS).flatMap(({ fields }) =>
      Object.keys(fields).map((name) => [name, "https://set.example"])
    ),
  );
  const choose = (provider: string, own: object = keys) =>
    void (settings = SettingsSchema.parse({ general: { ...own, provider } }));
  return { history, choose };
}

Deno.test("the first provider stays the first, whatever is chosen later, also after a restart", async () => {
  await using temp = await tempKv();
  const { history, choose } = processOn(temp.kv);
  for (const name of ["bluefox", "brevo", "bluefox", "kit", "brevo"]) {
    choose(name);
    await history.note();
  }
  assert.deepEqual([history.first(), history.names()], ["bluefox", ["bluefox", "brevo", "kit"]]);
  const restarted = processOn(temp.kv);
  restarted.choose("klaviyo");
  await restarted.history.load();
  assert.deepEqual(restarted.history.names(), ["bluefox", "brevo", "kit", "klaviyo"]);
});

Deno.test("a start with the sandbox does not make it the first", async () => {
  await using temp = await tempKv();
  const { history, choose } = processOn(temp.kv);
  await history.note();
  assert.equal(history.first(), "sandbox");
  choose("bluefox");
  await history.note();
  assert.equal(history.first(), "bluefox");
});

Deno.test("a provider that is chosen without its key is not remembered until it has one", async () => {
  await using temp = await tempKv();
  const { history, choose } = processOn(temp.kv);
  choose("bluefox", {});
  await history.note();
  assert.deepEqual(history.names(), ["bluefox"], "while it is chosen");
  choose("brevo");
  await history.note();
  assert.deepEqual([history.first(), history.names()], ["brevo", ["brevo"]]);
  choose("bluefox");
  await history.note();
  choose("brevo");
  assert.deepEqual(history.names(), ["brevo", "bluefox"]);
});

Deno.test("two processes that note different providers at the same time agree on the first", async () => {
  await using temp = await tempKv();
  const processes = [processOn(temp.kv), processOn(temp.kv)];
  processes[0]!.choose("bluefox");
  processes[1]!.choose("brevo");
  await Promise.all(processes.map(({ history }) => history.note()));
  await Promise.all(processes.map(({ history }) => history.load()));
  assert.deepEqual(processes[0]!.history.names().toSorted(), ["bluefox", "brevo"]);
  assert.equal(processes[0]!.history.first(), processes[1]!.history.first());
});
