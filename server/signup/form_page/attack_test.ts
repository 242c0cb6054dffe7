import assert from "node:assert/strict";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import type { TestProgram } from "../../../dev/testing/program.ts";
import { filled, get, post, start } from "./testing/form_page.ts";

const AGAIN = /role="alert">Your signup hasn’t been sent yet\./;
const DONE = /check your inbox/;

async function turnOn({ services }: TestProgram) {
  await services.settings.save("privacy", { attackMode: "on" });
  assert.ok(services.attackMode.current());
}

const isStored = async ({ services }: TestProgram, email: string) => {
  const { "accepted": accepted = 0 } = await services.counters.totals();
  const rows = await Array.fromAsync(services.kv.list({ prefix: [] }));
  return accepted > 0 && rows.some(({ key }) => key.includes(email));
};

Deno.test("during an attack, the form page signs up once it has been open for ten seconds; sent earlier, it is shown again with the same token", async () => {
  const clock = new ManualClock();
  await using program = await start(clock);
  await turnOn(program);
  await clock.advance(5 * 60_000);
  const { html } = await get(program);
  await clock.advance(6_000);
  const early = await post(program, filled(html, "ann@example.com"));
  assert.match(early.html, AGAIN);
  assert.match(early.html, /value="ann@example\.com"/);
  assert.ok(!await isStored(program, "ann@example.com"));
  assert.equal((await program.services.counters.totals())["note.challenge_again"], 1);
  await clock.advance(4_000);
  assert.match((await post(program, filled(early.html, "ann@example.com"))).html, DONE);
  assert.ok(await isStored(program, "ann@example.com"));
});

Deno.test("a form page, or a form in a page's own markup, that was open before the attack is shown again, and can then be sent", async () => {
  const clock = new ManualClock();
  await using program = await start(clock);
  const { html } = await get(program);
  await turnOn(program);
  await clock.advance(10 * 60_000);
  for (const [name, page] of [["ann", html], ["ben", ""]] as const) {
    const again = await post(program, filled(page, `${name}@example.com`));
    assert.match(again.html, AGAIN);
    await clock.advance(10_000);
    assert.match((await post(program, filled(again.html, `${name}@example.com`))).html, DONE);
    assert.ok(await isStored(program, `${name}@example.com`));
  }
});

Deno.test("a page that has waited is sent once: for the next address, its visitor sees the same and nothing is stored", async () => {
  const clock = new ManualClock();
  await using program = await start(clock);
  await turnOn(program);
  await clock.advance(5 * 60_000);
  const { html } = await get(program);
  await clock.advance(10_000);
  const first = await post(program, filled(html, "ann@example.com"));
  const next = await post(program, filled(html, "victim@example.com"));
  assert.equal(next.html, first.html);
  assert.ok(!await isStored(program, "victim@example.com"));
});
