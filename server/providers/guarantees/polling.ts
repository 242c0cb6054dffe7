/** Guarantees about a poll whose listings change while it reads them. */
import assert from "node:assert/strict";
import { createPoll, type PollReport } from "../../signup/confirm/poll.ts";
import { systemClock, systemRandom } from "../../platform/deps.ts";
import { putRecord } from "../../signup/record/record.ts";
import { signupKey, type SignupRecord } from "../../signup/record/row.ts";
import { readRow } from "../../platform/kv/key.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { type TempKv, tempKv } from "../../../dev/testing/temp_kv.ts";
import type { Guarantees, ProviderHarness } from "../conformance.ts";
import type { PageResult, Provider } from "../port/port.ts";

const NAME = "adapter";
/** Several pages at every provider. */
const PEOPLE = 65;
const emailOf = (n: number) => `reader${String(n).padStart(3, "0")}@example.com`;
const DAY_MS = 24 * 60 * 60_000;

/** Stores a pending signup. */
async function addRecord({ kv }: TempKv, list: string, email: string): Promise<void> {
  const at = Date.now() - DAY_MS;
  const record: SignupRecord = {
    ...{ v: 1, email, list, status: "pending", since: at, tags: [], source: "popup", provider: NAME },
    ...{ createdAt: at, updatedAt: at },
  };
  await putRecord(kv.atomic(), null, record).commit();
}

/** Signs people up here and at the provider. */
async function signUp(h: ProviderHarness, temp: TempKv, count: number): Promise<string[]> {
  const emails = Array.from({ length: count }, (_, n) => emailOf(n));
  for (const email of emails) {
    await h.provider.subscribe({ list: h.doubleOptIn, email }, { tags: [] });
    await addRecord(temp, h.doubleOptIn, email);
  }
  return emails;
}

/** Makes one poll, whose pages all come from `provider`. */
function poll({ kv }: TempKv, provider: Provider): Promise<PollReport> {
  return createPoll({
    kv,
    clock: systemClock,
    random: systemRandom,
    log: memoryLog(),
    wake() {},
    signupProviders: { nameOf: () => NAME, named: () => provider },
    settings: { current: () => ({ general: { provider: NAME } }) as never },
    providerHistory: { names: () => [NAME] },
    onConfirmed() {},
  }).run();
}

/** Returns the addresses whose signup is not active. */
async function notActive({ kv }: TempKv, list: string, emails: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const email of emails) {
    if ((await readRow(kv, signupKey(email, list)))?.status !== "active") found.push(email);
  }
  return found;
}

/** Returns the provider; `between` runs after each page of a listing. */
function withStepAfterPages(provider: Provider, between: (page: PageResult) => Promise<void>): Provider {
  const after = async (page: PageResult) => {
    await between(page);
    return page;
  };
  return {
    ...provider,
    changed: async (...args) => await after(await provider.changed(...args)),
    unconfirmed: async (...args) => await after(await provider.unconfirmed(...args)),
  };
}

/** Makes a poll by `provider`, between whose pages the list changes. */
async function pollWhileListChanges(h: ProviderHarness, provider: Provider): Promise<void> {
  await using temp = await tempKv();
  const list = h.doubleOptIn;
  const emails = await signUp(h, temp, PEOPLE);
  assert.equal((await poll(temp, h.provider)).trouble, undefined);
  const confirmed = emails.slice(0, -15);
  for (const email of confirmed) await h.confirm({ list, email });
  const undecided = emails.slice(-15);
  const late: string[] = [];
  const left = new Set<string>();
  let newcomers = PEOPLE;
  const changing = withStepAfterPages(provider, async (page) => {
    assert.equal(page.kind, "page");
    for (const { email } of page.kind === "page" ? page.items.slice(0, 4) : []) {
      left.add(email);
      if (h.provider.capabilities.erasure) await h.provider.erase(email);
      else await h.unsubscribe({ list, email });
    }
    const email = undecided.pop();
    if (email !== undefined && !left.has(email)) {
      await h.confirm({ list, email });
      late.push(email);
    }
    const newcomer = { list, email: emailOf(newcomers++) };
    await h.provider.subscribe(newcomer, { tags: [] });
    await h.confirm(newcomer);
  });
  const stayed = (some: string[]) => some.filter((email) => !left.has(email));
  assert.equal((await poll(temp, changing)).trouble, undefined);
  assert.ok(left.size > 0 && left.size < PEOPLE / 2, "some have left");
  assert.deepEqual(await notActive(temp, list, stayed(confirmed)), []);
  await poll(temp, h.provider);
  assert.deepEqual(await notActive(temp, list, stayed(late)), []);
}

export const polling: Guarantees = {
  "a poll finds everyone who confirmed before it, while people sign up, confirm and leave between its pages":
    (h) => pollWhileListChanges(h, h.provider),

  "a poll by changes alone finds everyone who confirmed before it, while people sign up, confirm and leave":
    async (h) => {
      const { capabilities } = h.provider;
      if (!capabilities.listsChanged || !capabilities.listsUnconfirmed) return;
      await pollWhileListChanges(h, {
        ...h.provider,
        capabilities: { ...capabilities, listsUnconfirmed: false },
      });
    },

  "a poll ends and finds everyone, even if the provider returns the same page again and again": async (h) => {
    await using temp = await tempKv();
    const list = h.doubleOptIn;
    const emails = await signUp(h, temp, PEOPLE);
    await poll(temp, h.provider);
    for (const email of emails) await h.confirm({ list, email });
    let stored: { body: string; init: ResponseInit } | undefined;
    let listing: "first" | "later" | undefined;
    const provider = h.withFetch((fetch) => async (input, init) => {
      if (listing === "later" && stored) return new Response(stored.body, stored.init);
      const response = await fetch(input, init);
      if (listing !== "first") return response;
      const { status, headers } = response;
      stored = { body: await response.text(), init: { status, headers } };
      return new Response(stored.body, stored.init);
    });
    const listed = async (cursor: string | undefined, read: () => Promise<PageResult>) => {
      listing = cursor === undefined ? "first" : "later";
      const page = await read();
      listing = undefined;
      return page;
    };
    const { calls } = await poll(temp, {
      ...provider,
      changed: (...args) => listed(args[2], () => provider.changed(...args)),
      unconfirmed: (...args) => listed(args[1], () => provider.unconfirmed(...args)),
    });
    assert.ok(calls <= 3 * PEOPLE, `${calls} calls`);
    await poll(temp, h.provider);
    assert.deepEqual(await notActive(temp, list, emails), []);
  },
};
