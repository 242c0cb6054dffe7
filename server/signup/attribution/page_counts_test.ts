import assert from "node:assert/strict";
import { systemRandom } from "../../platform/deps.ts";
import { beforeCommits } from "../../../dev/testing/around_commits.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { createPageCounts, DIMENSIONS, OTHER, type PageCounts } from "./page_counts.ts";
import { valueTotals } from "./summary.ts";

const DAY_MS = 86_400_000;
const BLOG = { path: "/blog", referrer: "https://news.example", utm: { source: "mail", campaign: "spring" } };

async function opened() {
  const temp = await tempKv();
  const clock = new ManualClock();
  const log = memoryLog();
  const create = (kv = temp.kv) => createPageCounts({ kv, clock, random: systemRandom, log });
  const today = () => Math.floor(clock.now() / DAY_MS);
  return { kv: temp.kv, clock, log, create, today, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
}

Deno.test("signups and confirmations add up by path, campaign and linking site, over processes and days", async () => {
  await using world = await opened();
  const { clock, create, today } = world;
  const [first, second] = [create(), create()];
  first.count("footer", BLOG, "signups");
  second.count("footer", BLOG, "signups");
  second.count("popup", { path: "/" }, "signups");
  await Promise.all([first.flush(), second.flush()]);
  await clock.advance(3 * DAY_MS);
  first.count("footer", BLOG, "confirmed");
  for (const counts of [first, create()]) {
    await first.flush();
    const found = await counts.totals(today() - 3, today() + 1);
    assert.deepEqual(valueTotals(found, "path", undefined), [
      { value: "/blog", signups: 2, confirmed: 1 },
      { value: "/", signups: 1, confirmed: 0 },
    ]);
    assert.deepEqual(valueTotals(found, "path", "popup").map(({ value }) => value), ["/"]);
    assert.deepEqual(valueTotals(found, "campaign", undefined), [{
      value: "spring\tmail\t",
      signups: 2,
      confirmed: 1,
    }]);
    assert.deepEqual(valueTotals(found, "referrer", undefined)[0]?.value, "https://news.example");
    const before = await counts.totals(today() - 3, today());
    assert.equal(valueTotals(before, "path", undefined)[0]?.confirmed, 0);
  }
});

/** An IP in a network of its own. */
const ipIn = (network: number) => `198.${51 + (network >> 8)}.${network & 255}.7`;

/** Returns the signups by path of today. */
async function pathsOf(counts: PageCounts, today: number): Promise<Map<string, number>> {
  const totals = valueTotals(await counts.totals(today, today + 1), "path", undefined);
  return new Map(totals.map(({ value, signups }) => [value, signups]));
}

Deno.test("visitors who invent paths add at most 301 values a day, and no signup is missing from the sum", async () => {
  await using world = await opened();
  const { clock, create, today } = world;
  for (let day = 0; day < 3; day++) {
    const counts = create();
    for (let n = 0; n < 2_000; n++) {
      counts.count("footer", { path: `/${day}/${n}` }, "signups", ipIn(n));
      if (n % 100 === 0) await counts.flush();
    }
    await counts.flush();
    const paths = await pathsOf(counts, today());
    assert.ok(paths.size <= 301, `day ${day}: ${paths.size}`);
    assert.equal([...paths.values()].reduce((sum, count) => sum + count), 2_000);
    await clock.advance(DAY_MS);
  }
});

Deno.test("pages of earlier days keep their counts, whatever others invent, from however many networks", async () => {
  await using world = await opened();
  const { clock, create, today } = world;
  const honest = Array.from({ length: 100 }, (_, n) => `/posts/${n}`);
  const first = create();
  honest.forEach((path, n) => first.count("footer", { path }, "signups", ipIn(n)));
  // The next day knows these, too, but nobody has confirmed these signups.
  for (let n = 0; n < 400; n++) first.count("footer", { path: `/first/${n}` }, "signups", ipIn(n));
  for (const path of honest.slice(0, 90)) first.count("footer", { path }, "confirmed");
  await first.flush();

  await clock.advance(DAY_MS);
  const second = create();
  second.count("footer", { path: "/" }, "signups", ipIn(1));
  await second.flush();
  for (let n = 0; n < 2_000; n++) second.count("footer", { path: `/second/${n}` }, "signups", ipIn(n));
  honest.forEach((path, n) => second.count("footer", { path }, "signups", ipIn(n)));
  await second.flush();
  const paths = await pathsOf(second, today());
  assert.deepEqual(honest.slice(0, 90).filter((path) => paths.get(path) !== 1), []);
  assert.equal(paths.get("/"), 1);
  assert.ok(paths.get(OTHER)! >= 1_700);
  assert.ok(paths.size <= 301);

  // Also in another process, and after a restart.
  const third = create();
  third.count("footer", { path: "/posts/1" }, "signups", ipIn(1));
  await third.flush();
  third.count("footer", { path: "/third" }, "signups", ipIn(1));
  third.count("footer", { path: "/posts/2" }, "signups", ipIn(1));
  const after = await pathsOf(third, today());
  assert.deepEqual([after.get("/posts/1"), after.get("/posts/2"), after.get("/third")], [2, 2, undefined]);
});

Deno.test("after a restore, the pages of the backup's earlier days are known as after a start", async () => {
  await using world = await opened();
  const { clock, create, today } = world;
  const running = create();
  running.count("footer", { path: "/" }, "signups", ipIn(1));
  await running.flush();
  for (let n = 0; n < 400; n++) running.count("footer", { path: `/before/${n}` }, "signups", ipIn(n));
  await running.flush();

  clock.set(clock.now() - DAY_MS);
  const backup = create();
  backup.count("footer", { path: "/restored" }, "signups", ipIn(1));
  await backup.flush();
  clock.set(clock.now() + DAY_MS);
  running.forget();
  running.count("footer", { path: "/" }, "signups", ipIn(1));
  await running.flush();
  running.count("footer", { path: "/restored" }, "signups", ipIn(1));
  assert.equal((await pathsOf(running, today())).get("/restored"), 1);
});

for (
  const [family, ipOf] of [
    ["an IPv4 /24", (n: number) => `203.0.113.${n % 256}`],
    ["an IPv6 /48", (n: number) => `2001:db8:7:${(n % 65_536).toString(16)}::1`],
  ] as const
) {
  Deno.test(`${family} adds ten new pages, campaigns and linking sites a day, and new pages of others are counted beside it`, async () => {
    await using world = await opened();
    const { clock, create, today } = world;
    const counts = create();
    for (let day = 0; day < 2; day++) {
      for (let n = 0; n < 2_000; n++) {
        const invented = {
          path: `/${day}/invented/${n}`,
          referrer: `https://${day}-${n}.example`,
          utm: { campaign: `${day} invented ${n}` },
        };
        counts.count("footer", invented, "signups", ipOf(n));
        if (n % 40 === 0) {
          counts.count("footer", { path: `/${day}/posts/${n}` }, "signups", ipIn(n / 40));
        }
      }
      const totals = await counts.totals(today(), today() + 1);
      for (const dimension of DIMENSIONS) {
        const values = valueTotals(totals, dimension, undefined).map(({ value }) => value);
        assert.equal(
          values.filter((value) => value.includes("invented")).length,
          dimension === "referrer" ? 0 : 10,
        );
        assert.equal(values.length, dimension === "path" ? 61 : 11);
      }
      const paths = await pathsOf(counts, today());
      assert.equal([...paths.keys()].filter((path) => path.includes("posts")).length, 50);
      await counts.flush();
      await clock.advance(DAY_MS);
    }
  });
}

Deno.test("counts that could not be written are written with the next ones, once", async () => {
  await using world = await opened();
  const { kv, log, create, today } = world;
  let fails = true;
  const counts = create(
    beforeCommits(kv, () => fails ? Promise.reject(new Error("the disk is full")) : Promise.resolve()),
  );
  counts.count("footer", BLOG, "signups");
  await counts.flush();
  assert.equal(log.entries.at(-1)?.event, "page_counts.flush_failed");
  fails = false;
  await counts.flush();
  await counts.flush();
  const found = await create().totals(today(), today() + 1);
  assert.equal(valueTotals(found, "path", undefined)[0]?.signups, 1);
});
