/** Every row of `testing/reliability.ts`, tried with the real adapter at each request that a delivery sends. */
import assert from "node:assert/strict";
import type { Target } from "../port/port.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { openBluefox } from "../adapters/bluefox/testing/harness.ts";
import { openBrevo } from "../adapters/brevo/testing/harness.ts";
import { openButtondown } from "../adapters/buttondown/testing/harness.ts";
import type { ProviderHarness } from "../conformance.ts";
import { openKit } from "../adapters/kit/testing/harness.ts";
import { openKlaviyo } from "../adapters/klaviyo/testing/harness.ts";
import { openListmonk } from "../adapters/listmonk/testing/harness.ts";
import { openMailchimp } from "../adapters/mailchimp/testing/harness.ts";
import { openMailerlite } from "../adapters/mailerlite/testing/harness.ts";
import { AdapterWorld, type RequestFault } from "../testing/adapter_world.ts";
import { PROVIDERS } from "../providers.ts";
import { type Emails, type Person, RELIABILITY, type Situation, SITUATIONS } from "../testing/reliability.ts";

const HARNESSES: Readonly<Record<keyof typeof RELIABILITY, () => Promise<ProviderHarness>>> = {
  bluefox: openBluefox,
  brevo: openBrevo,
  buttondown: openButtondown,
  kit: openKit,
  klaviyo: openKlaviyo,
  listmonk: openListmonk,
  mailchimp: openMailchimp,
  mailerlite: openMailerlite,
};

const FAULTS: Readonly<Record<Situation, readonly RequestFault[]>> = {
  lost: ["is lost"],
  unanswered: ["loses its response"],
  killed: ["dies before", "dies after"],
};
const COUNTS: Readonly<Record<Emails, readonly number[]>> = {
  one: [1],
  "one or two": [1, 2],
  none: [0],
};

/** Delivers a signup, and returns how it ended. */
async function deliver(harness: ProviderHarness, target: Target, fails?: AdapterWorld["fails"]) {
  await using temp = await tempKv();
  const world = new AdapterWorld(temp.kv, harness);
  world.fails = fails;
  const delivery = await world.deliver(target);
  return { ...delivery, mails: await harness.mailsTo(target.email), requests: world.requests };
}

for (const [kind, { emails, mailServer, takesBack }] of Object.entries(RELIABILITY)) {
  const open = HARNESSES[kind as keyof typeof RELIABILITY];

  Deno.test(`${kind}: after any fault at any request, a person gets as many emails as the table says, and the signup is delivered`, async () => {
    await using harness = await open();
    assert.deepEqual(Object.keys(emails), harness.know ? ["new", "known"] : ["new"]);
    let people = 0;
    const person = async (who: Person): Promise<Target> => {
      const email = `person${people++}@example.com`;
      if (who === "known") await harness.know!(email);
      return { list: harness.doubleOptIn, email };
    };
    for (const [who, bySituation] of Object.entries(emails) as [Person, typeof emails.new & object][]) {
      const { requests, status } = await deliver(harness, await person(who));
      for (const [situation, expected] of Object.entries(bySituation) as [Situation, Emails][]) {
        const counts = new Set<number>();
        for (const fault of FAULTS[situation]) {
          for (let request = 0; request < requests; request++) {
            const ended = await deliver(harness, await person(who), { request, fault });
            counts.add(ended.mails);
            assert.equal(ended.status, status, `request ${request} ${fault}`);
          }
        }
        assert.deepEqual([...counts].toSorted(), COUNTS[expected], `${who}: ${situation}`);
      }
    }
  });

  Deno.test(`${kind}: while the provider's mail server is down, cfbe sees what the table says`, async () => {
    await using harness = await open();
    const target = { list: harness.doubleOptIn, email: "waiting@example.com" };
    assert.equal(harness.mailServer !== undefined, mailServer !== "nothing");
    if (!harness.mailServer) return;
    for (const who of Object.keys(emails)) {
      const email = `${who}@example.com`;
      if (who === "known") await harness.know!(email);
      await using temp = await tempKv();
      const world = new AdapterWorld(temp.kv, harness);
      harness.mailServer("down");
      const waiting = await world.deliver({ ...target, email });
      assert.deepEqual([waiting.status, waiting.showsFailure], ["queued", true]);
      assert.equal(await harness.mailsTo(email), 0);
      harness.mailServer("up");
      const delivered = await world.continue({ ...target, email });
      assert.deepEqual([delivered.status, await harness.mailsTo(email)], ["pending", 1]);
    }
  });

  Deno.test(`${kind}: somebody who unsubscribed is taken back with one email or not at all, as the table says`, async () => {
    await using harness = await open();
    const target = { list: harness.doubleOptIn, email: "left@example.com" };
    await harness.provider.subscribe(target, { tags: [] });
    await harness.confirm(target);
    await harness.unsubscribe(target);
    const before = await harness.mailsTo(target.email);
    const { status, listStatus, mails } = await deliver(harness, target);
    const expected = takesBack === "yes" ? ["pending", "pending", 1] : ["failed", "unsubscribed", 0];
    assert.deepEqual([status, listStatus, mails - before], expected);
  });
}

Deno.test("docs/reliability.md shows the tables that these tests hold", () => {
  const page = Deno.readTextFileSync(new URL("../../../docs/reliability.md", import.meta.url));
  const tables = page.match(/(^\|.*\n)+/gm)!.map((table) =>
    table.trim().split("\n").filter((line) => !/^\|[ |:-]+\|$/.test(line)).map((line) =>
      line.split("|").slice(1, -1).map((cell) => cell.trim())
    )
  );
  const titleOf = (kind: string) => PROVIDERS[kind as keyof typeof PROVIDERS].title;
  const rows = Object.entries(RELIABILITY);
  const faults = rows.flatMap(([kind, { emails }]) =>
    Object.entries(emails).map(([person, by]) => [
      titleOf(kind),
      person,
      ...Object.keys(SITUATIONS).map((situation) => by[situation as Situation]),
    ])
  );
  assert.deepEqual(tables[0], [["provider", "person", ...Object.values(SITUATIONS)], ...faults]);
  assert.deepEqual(
    tables[1]!.slice(1),
    rows.map(([kind, { mailServer, takesBack }]) => [titleOf(kind), mailServer, takesBack]),
  );
});
