import assert from "node:assert/strict";
import type { VariantName } from "../../forms/experiments/running.ts";
import { cfbe, runningService } from "../testing/cli.ts";

const variants = [{ id: "a", name: "As it is" }, { id: "b", name: "Short", overrides: { heading: "Short" } }];

async function setUp() {
  const program = await runningService();
  const { settings, experimentCounts, clock } = program.services;
  const startedAt = clock.now();
  const experiment = { id: "x1", state: "running", startedAt, variants };
  await settings.save("forms", { forms: [{ name: "footer", experiment }, { name: "plain" }] });
  const see = (variant: VariantName, times: number) => {
    for (let i = 0; i < times; i++) experimentCounts.count(variant, "seen");
  };
  return { program, env: program.shell, see };
}

Deno.test("experiments are listed and shown with their counts on the command line", async () => {
  const { program, env, see } = await setUp();
  await using _ = program;
  see("x1/a", 10);
  see("x1/b", 12);
  const list = await cfbe({ env }, "experiments");
  assert.match(list.out, /^form +state +started +seen +confirmed\nfooter +running +\S+ \S+ UTC +22 +0$/);
  const shown = await cfbe({ env }, "experiments", "show", "footer");
  assert.match(
    shown.out,
    /^Experiment of footer: running\nStarted: .*\nNot decided yet: no signup is confirmed\.\n/,
  );
  assert.match(shown.out, /\nShort +1 +12 +0 +0 +0 +0\.00% +−\S+ to \+\S+$/);
  assert.deepEqual([list.code, shown.code, shown.err], [0, 0, ""]);
});

Deno.test("the command line shows how many times as many confirmed signups a variant brings, also with --json", async () => {
  const { program, env, see } = await setUp();
  await using _ = program;
  see("x1/a", 151);
  see("x1/b", 153);
  const { kv, experimentCounts } = program.services;
  const tx = kv.atomic();
  for (let person = 0; person < 60; person++) {
    experimentCounts.add(tx, "x1/b", "confirmed");
    if (person < 20) experimentCounts.add(tx, "x1/a", "confirmed");
  }
  await tx.commit();
  const { out } = await cfbe({ env }, "experiments", "show", "footer");
  assert.match(out, /\n“Short” brings 1\.4 to 7\.6 times as many .* Decided: “Short” wins, with/);
  assert.match(out, /\nShort +1 +153 +0 +60 +0 +39\.22% +1\.4 to 7\.6 times +\+8\.\d+ to \+44\.\d+$/);
  const { report } = JSON.parse((await cfbe({ env }, "experiments", "show", "footer", "--json")).out);
  const { estimate, from, to } = report.variants[1].ratio;
  assert.deepEqual([report.winner, report.visitorsNeeded], ["b", undefined]);
  assert.ok(1.3 < from && from < estimate && estimate < to && to < 8);
});

Deno.test("the command line says which variant was kept, and still shows the results", async () => {
  const { program, env, see } = await setUp();
  await using _ = program;
  see("x1/b", 12);
  const ended = { id: "x1", state: "stopped", kept: "b", variants };
  await program.services.settings.save("forms", { forms: [{ name: "footer", experiment: ended }] });
  const { out } = await cfbe({ env }, "experiments", "show", "footer");
  assert.match(out, /^Experiment of footer: ended\nKept: +Short\nNot decided: no signup was confirmed\.\n/);
  assert.match(out, /\nShort +1 +12 /);
});

Deno.test("with --json, a script gets the counts of an experiment by day and variant", async () => {
  const { program, env, see } = await setUp();
  await using _ = program;
  see("x1/b", 3);
  const { report, days } = JSON.parse((await cfbe({ env }, "experiments", "show", "footer", "--json")).out);
  const none = { seen: 0, signups: 0, confirmed: 0, ordered: 0 };
  assert.deepEqual(days.at(-1).variants, [{ id: "a", ...none }, { id: "b", ...none, seen: 3 }]);
  assert.match(days.at(-1).day, /^\d{4}-\d\d-\d\d$/);
  assert.deepEqual(report.variants[1], { id: "b", name: "Short", weight: 1, ...none, seen: 3, rate: 0 });
  assert.deepEqual(JSON.parse((await cfbe({ env }, "experiments", "list", "--json")).out), [report]);
});

Deno.test("a form without an experiment, and one that does not exist, is not found, and the popup is named popup", async () => {
  const { program, env } = await setUp();
  await using _ = program;
  for (const name of ["plain", "gone", "popup"]) {
    const { code, err } = await cfbe({ env }, "experiments", "show", name);
    assert.equal(code, 3, err);
  }
  await program.services.settings.save("popup", { experiment: { id: "x2", variants } });
  const shown = await cfbe({ env }, "experiments", "show", "popup");
  assert.match(shown.out, /^Experiment of popup: draft\n\nvariant/);
  assert.match((await cfbe({ env }, "experiments")).out, /\npopup +draft/);
});

Deno.test("variants that were not seen in the proportion of their weights are reported on standard error", async () => {
  const { program, env, see } = await setUp();
  await using _ = program;
  see("x1/a", 1_000);
  const { err, code } = await cfbe({ env }, "experiments", "show", "footer");
  assert.match(err, /not seen in the proportion of their weights/);
  assert.equal(code, 0);
});
