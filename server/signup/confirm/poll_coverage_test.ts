import assert from "node:assert/strict";
import { type Harness, harness } from "../../../dev/testing/harness.ts";
import { startRecurringJobs } from "../../program/recurring_jobs.ts";
import { addPending, emailOf, MINUTE, pollWithTime } from "./testing/polls.ts";

/** One poll leaves out no pending signup, in whatever way the provider is read. */

const LISTS = ["a", "b", "c"];
/** More than the provider lists on a page. */
const PER_LIST = 100;
/** Every other one, so that both listings have several pages. */
const CONFIRMED = Array.from({ length: PER_LIST / 2 }, (_, n) => 2 * n);

function confirmSome(app: Harness): void {
  for (const list of LISTS) {
    for (const n of CONFIRMED) app.provider.put(list, emailOf(n), "active", app.clock.now());
  }
}

/** Returns how many confirmed signups are active, on each list. */
async function activeOn(app: Harness): Promise<number[]> {
  return await Promise.all(LISTS.map(async (list) => {
    const records = await Promise.all(CONFIRMED.map((n) => app.record(emailOf(n), list)));
    return records.filter((record) => record?.status === "active").length;
  }));
}

const WAYS: Record<string, (app: Harness) => void> = {
  "by both listings": () => {},
  "by changes alone": ({ provider }) => void (provider.capabilities.listsUnconfirmed = false),
  "by unconfirmed addresses alone": ({ provider }) => void (provider.capabilities.listsChanged = false),
  "one by one": ({ provider: { capabilities } }) =>
    void Object.assign(capabilities, { listsChanged: false, listsUnconfirmed: false }),
};
for (const [way, arrange] of Object.entries(WAYS)) {
  for (const isFirst of [true, false]) {
    Deno.test(
      `one poll finds every confirmation, on every list and every page: ${way}, ${
        isFirst ? "the first poll" : "a later one"
      }`,
      async () => {
        await using app = await harness();
        arrange(app);
        for (const list of LISTS) await addPending(app, PER_LIST, { list });
        if (!isFirst) await pollWithTime(app);
        await app.clock.advance(15 * MINUTE);
        confirmSome(app);
        const { confirmed, trouble } = await pollWithTime(app);
        assert.deepEqual([confirmed, trouble], [LISTS.length * CONFIRMED.length, undefined]);
        assert.deepEqual(await activeOn(app), LISTS.map(() => CONFIRMED.length));
      },
    );
  }
}

Deno.test("a confirmation at any moment is found within 15 minutes by the recurring poll", async () => {
  await using app = await harness();
  for (const minute of [1, 7, 14]) await addPending(app, 1, { list: `list ${minute}` });
  const confirmedAt = new Map<string, number>();
  const activeAt = new Map<string, number>();
  for (let minute = 0; minute < 31; minute++) {
    await startRecurringJobs(app.services);
    await app.work();
    for (const at of [1, 7, 14]) {
      const list = `list ${at}`;
      if (minute === at) {
        app.provider.put(list, emailOf(0), "active", app.clock.now());
        confirmedAt.set(list, minute);
      }
      const isActive = (await app.record(emailOf(0), list))?.status === "active";
      if (isActive && !activeAt.has(list)) activeAt.set(list, minute);
    }
    await app.clock.advance(MINUTE);
  }
  for (const [list, at] of confirmedAt) {
    assert.ok(activeAt.get(list)! - at <= 15, `${list}: ${activeAt.get(list)}`);
  }
});
