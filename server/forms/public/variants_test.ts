import assert from "node:assert/strict";
import { NAMESPACE } from "../../../shared/contract.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { VariantCounts } from "../experiments/counts.ts";
import { subscription } from "../../signup/confirm/testing/webhooks.ts";
import { COUNTED_FOR_MS } from "../../shops/orders/count_ordered_variants.ts";
import type { Order } from "../../shops/systems/order.ts";
import { SettingsSchema } from "../../settings/schema/schema.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";

import { heightsOfForm } from "./heights_of_form.ts";

/** Signups with variants of an experiment: what is counted for which variant. */

const ADA = "ada@example.com";
const variants = [
  { id: "a", name: "As it is" },
  { id: "b", name: "Short", weight: 3, overrides: { heading: "News", nameField: "required" as const } },
];
const settings = {
  forms: { forms: [{ name: "footer", experiment: { id: "x1", state: "running" as const, variants } }] },
};
const stopped = {
  forms: { forms: [{ name: "footer", experiment: { id: "x1", state: "stopped" as const, variants } }] },
};

const shown = async (app: Harness): Promise<PublicSettings> => await (await app.fetch("/cfbe.json")).json();
const cfgOf = async (app: Harness, index: number) =>
  (await shown(app)).forms["footer"]!.experiment!.variants[index]!.cfg;
const signUp = (app: Harness, cfg: string, email = ADA) =>
  app.post({ email, form: "footer", name: "Ada", cfbe_cfg: cfg });
const see = (app: Harness, body: string, peer?: string) =>
  app.fetch(`${NAMESPACE}/variant-seen`, { method: "POST", body }, peer);

async function countsOf(app: Harness, variant: string): Promise<number[]> {
  const sum: VariantCounts = { seen: 0, accepted: 0, confirmed: 0, ordered: 0 };
  for (const each of await app.services.experimentCounts.days("x1", 0, 100_000)) {
    if (each.variant !== `x1/${variant}`) continue;
    for (const step of Object.keys(sum) as (keyof VariantCounts)[]) sum[step] += each[step];
  }
  return Object.values(sum);
}

async function confirm(app: Harness, email = ADA): Promise<void> {
  await app.work();
  app.provider.put(LIST, email, "active");
  await app.services.poll.run();
}

Deno.test("the public settings have the variants of a running experiment, and without one nothing of it", async () => {
  await using app = await harness({ settings });
  const { forms, preload } = await shown(app);
  assert.equal(preload, "variants");
  const { id, variants } = forms["footer"]!.experiment!;
  assert.deepEqual([id, variants.map(({ cfg: _, ...rest }) => rest)], ["x1", [
    { until: 0.25 },
    { until: 1, heading: "News", nameField: "required" },
  ]]);
  await using other = await harness({ settings: stopped });
  const without = await shown(other);
  assert.deepEqual([without.preload, without.forms["footer"]!.experiment], [undefined, undefined]);
});

Deno.test("a variant has a design of its own, which inherits from that of its form", async () => {
  const design = { preset: "forest" as const };
  const own = { radius: "round" as const };
  const [a, b] = variants;
  const designed = { ...b!, overrides: { design: own } };
  const form = {
    name: "footer",
    design,
    experiment: { id: "x1", state: "running" as const, variants: [a!, designed] },
  };
  await using app = await harness({ settings: { forms: { forms: [form] } } });
  const { design: shownDesign, experiment } = (await shown(app)).forms["footer"]!;
  assert.equal(experiment!.variants[0]!.design, undefined);
  assert.notDeepEqual(experiment!.variants[1]!.design, shownDesign);
  assert.deepEqual(
    Object.keys(shownDesign!).filter((name) => !(name in experiment!.variants[1]!.design!)),
    [],
  );
});

Deno.test("a signup counts for the variant in its signed configuration: accepted, confirmed and ordered, each once", async () => {
  await using app = await harness({ settings });
  const cfg = await cfgOf(app, 1);
  assert.equal((await see(app, cfg)).status, 204);
  await signUp(app, cfg);
  assert.deepEqual(await countsOf(app, "b"), [1, 1, 0, 0]);
  await confirm(app);
  await app.services.poll.run();
  await app.services.experimentCounts.flush();
  assert.deepEqual(await countsOf(app, "b"), [1, 1, 1, 0]);
  await buy(app, "7");
  await buy(app, "7");
  await buy(app, "8");
  assert.deepEqual(await countsOf(app, "b"), [1, 1, 1, 1]);
  assert.deepEqual(await countsOf(app, "a"), [0, 0, 0, 0]);
  assert.equal((await app.record(ADA))?.form, "footer");
});

function buy(app: Harness, id: string): Promise<unknown> {
  const order: Order = { id, email: ADA, status: "completed", total: 20, items: [], optIn: false };
  return app.services.orders.accept(order);
}

Deno.test("a confirmation by webhook counts like one that the poll finds", async () => {
  await using app = await harness({ settings });
  await signUp(app, await cfgOf(app, 0));
  await app.work();
  app.provider.put(LIST, ADA, "active");
  for (let call = 0; call < 2; call++) {
    await app.hook(subscription("subscribe"));
    await app.work();
  }
  assert.deepEqual(await countsOf(app, "a"), [0, 1, 1, 0]);
});

Deno.test("an order that comes more than 30 days after the signup is not counted", async () => {
  await using app = await harness({ settings });
  await signUp(app, await cfgOf(app, 0));
  await confirm(app);
  await app.clock.advance(COUNTED_FOR_MS + 1);
  await buy(app, "7");
  assert.deepEqual(await countsOf(app, "a"), [0, 1, 1, 0]);
});

Deno.test("a forged variant, or one of another site, is counted nowhere, and its signup is accepted", async () => {
  await using app = await harness({ settings });
  const cfg = await cfgOf(app, 1);
  const [payload, signature] = cfg.split(".");
  const json = JSON.parse(atob(payload!.replaceAll("-", "+").replaceAll("_", "/")));
  const other = btoa(JSON.stringify({ ...json, variant: "x1/a" })).replaceAll("=", "");
  for (const forged of [`${other}.${signature}`, `${payload}.x`, "~", "x1/a", cfg.slice(1)]) {
    assert.equal((await see(app, forged)).status, 204);
  }
  const response = await signUp(app, `${other}.${signature}`);
  assert.equal((await response.json()).code, "pending");
  assert.deepEqual([await countsOf(app, "a"), await countsOf(app, "b")], [[0, 0, 0, 0], [0, 0, 0, 0]]);
});

/** Settings that a test can change. */
async function saved(): Promise<Harness> {
  const app = await harness();
  await app.services.settings.save("forms", settings.forms, { replace: true });
  return app;
}

Deno.test("a page that is older than the end of the experiment still signs up, and is not counted", async () => {
  await using app = await saved();
  const cfg = await cfgOf(app, 1);
  await app.services.settings.save("forms", stopped.forms, { replace: true });
  await see(app, cfg);
  assert.equal((await (await signUp(app, cfg)).json()).code, "pending");
  assert.deepEqual(await countsOf(app, "b"), [0, 0, 0, 0]);
});

Deno.test("a confirmation after the end of the experiment counts for a signup before it", async () => {
  await using app = await saved();
  await signUp(app, await cfgOf(app, 1));
  await app.services.settings.save("forms", stopped.forms, { replace: true });
  await confirm(app);
  assert.deepEqual(await countsOf(app, "b"), [0, 1, 1, 0]);
});

Deno.test("a signup is checked by the fields of its variant", async () => {
  await using app = await harness({ settings });
  const { code } = await (await app.post({ email: ADA, form: "footer", cfbe_cfg: await cfgOf(app, 1) }))
    .json();
  assert.equal(code, "invalid");
  const base = await (await app.post({ email: ADA, form: "footer", cfbe_cfg: await cfgOf(app, 0) })).json();
  assert.equal(base.code, "pending");
});

Deno.test("the height that a page reserves is enough for the tallest variant", () => {
  const settingsOf = (state: "running" | "stopped") =>
    SettingsSchema.parse({
      forms: {
        forms: [{
          name: "footer",
          experiment: {
            id: "x1",
            state,
            variants: [variants[0], { ...variants[1], overrides: { text: "Long. ".repeat(90) } }],
          },
        }],
      },
    });
  const heightOf = (state: "running" | "stopped") =>
    heightsOfForm(settingsOf(state), { name: "footer" }, ["en"], 0).narrow;
  assert.ok(heightOf("running") > heightOf("stopped") + 100);
});

Deno.test("a signup of another form counts for the popup's variant that its session takes part in", async () => {
  const popup = {
    experiment: {
      id: "x1",
      state: "running" as const,
      variants: [{ id: "a", name: "Nothing", hidden: true }, { id: "b", name: "Popup" }],
    },
  };
  await using app = await harness({ settings: { popup, forms: { forms: [{ name: "footer" }] } } });
  const { forms, popup: { experiment } } = await shown(app);
  assert.equal(experiment!.variants[0]!.hidden, true);
  await signUp(app, `${forms["footer"]!.cfg}~${experiment!.variants[0]!.cfg}`);
  const record = await app.record(ADA);
  assert.deepEqual([record?.form, record?.variants], ["footer", ["x1/a"]]);
  assert.deepEqual(await countsOf(app, "a"), [0, 1, 0, 0]);
});

Deno.test("one IP counts at most 60 views of variants in ten minutes", async () => {
  await using app = await harness({ settings });
  const cfg = await cfgOf(app, 0);
  const statuses: number[] = [];
  for (let view = 0; view < 62; view++) statuses.push((await see(app, cfg, "203.0.113.9")).status);
  assert.deepEqual(statuses.slice(58), [204, 204, 429, 429]);
  assert.deepEqual(await countsOf(app, "a"), [60, 0, 0, 0]);
});

Deno.test("the counts contain no address, and an erasure leaves them", async () => {
  await using app = await harness({ settings });
  await signUp(app, await cfgOf(app, 0));
  await confirm(app);
  await app.services.experimentCounts.flush();
  await app.services.people.erase(ADA);
  await app.work();
  assert.deepEqual(await countsOf(app, "a"), [0, 1, 1, 0]);
  assert.doesNotMatch(await app.dump(), /ada@/);
});
