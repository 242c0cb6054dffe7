import assert from "node:assert/strict";
import { PROVIDERS } from "../../../providers/providers.ts";
import { stubProvider } from "../../../../dev/testing/stub_provider.ts";
import { ManualClock } from "../../../../dev/testing/manual_clock.ts";
import { SettingsSchema } from "../../../settings/schema/schema.ts";
import { setupSteps } from "./checklist.ts";
import type { SetupFacts } from "./facts.ts";

const { capabilities } = stubProvider(new ManualClock());
const NEWS = { id: "news", name: "News", doubleOptIn: true };

const READY: SetupFacts = {
  name: "brevo",
  title: "Brevo",
  module: PROVIDERS.brevo,
  settings: SettingsSchema.parse({ general: { defaultList: "news" } }),
  capabilities,
  isSandbox: false,
  other: undefined,
  missing: [],
  connection: { state: "works", name: "Acme", at: 1 },
  lists: [NEWS],
  usedLists: [NEWS],
  listsOf: undefined,
  listTrouble: undefined,
  defaultList: "News",
  webhook: {
    kind: "state",
    url: "https://news.example/hook",
    registered: { url: "https://news.example/hook", events: [], missing: [], surplus: [] },
    state: "ours",
  },
  unreachable: false,
  test: { followed: undefined, sentAt: 1, confirmed: true },
};

const FOLLOWED = {
  email: "ada@example.com",
  status: "pending",
  acceptedAt: 1,
  delivered: true,
  unconfirmed: false,
} as const;

const followed = (more: Partial<NonNullable<SetupFacts["test"]["followed"]>>): SetupFacts => ({
  ...READY,
  test: { followed: { ...FOLLOWED, ...more }, sentAt: 1, confirmed: false },
});

const step = (facts: SetupFacts, name: string) => {
  const { state, summary } = setupSteps(facts).find((each) => each.name === name)!;
  return [state, summary] as const;
};

Deno.test("with everything set up, every step of the Provider page is done and says what is set", () => {
  assert.deepEqual(setupSteps(READY).map(({ name, state, summary }) => [name, state, summary]), [
    ["provider", "done", "Brevo."],
    ["settings", "done", "All required settings are saved."],
    ["connection", "done", "Connected to Acme."],
    ["list", "done", "New signups go to News."],
    ["opt-in", "done", "On for News."],
    ["webhook", "done", "Registered."],
    ["test", "done", "A test signup was confirmed."],
  ]);
});

Deno.test("each step of the Provider page says what is missing or wrong, and what to do", () => {
  const webhook = READY.webhook as Extract<SetupFacts["webhook"], { kind: "state" }>;
  const registered = { url: webhook.url, events: [], missing: ["bounce"], surplus: [] };
  const lost = SettingsSchema.parse({ forms: { forms: [{ name: "footer", list: "x" }] } });
  const off = { ...NEWS, doubleOptIn: false };
  const cases: [Partial<SetupFacts>, string, string, RegExp][] = [
    [
      { missing: ["the API key", "the template"] },
      "settings",
      "current",
      /^Enter the API key and the template\.$/,
    ],
    [{ connection: { state: "untested" } }, "connection", "current", /Not tested yet/],
    [{ connection: { state: "changed" } }, "connection", "current", /changed since the last test/],
    [{ connection: { state: "failed", reason: "HTTP 401." } }, "connection", "wrong", /failed: HTTP 401\.$/],
    [{ lists: [], usedLists: [], defaultList: "" }, "list", "current", /Load the lists/],
    [{ usedLists: [], defaultList: "" }, "list", "current", /Choose the list/],
    [{ settings: lost }, "list", "wrong", /x, selected in form footer/],
    [{ usedLists: [off] }, "opt-in", "wrong", /^Double opt-in is off for News /],
    [{ usedLists: [{ id: "a", name: "A" }] }, "opt-in", "optional", /does not show whether it is on/],
    [{ capabilities: { ...capabilities, optIn: "none" } }, "opt-in", "wrong", /no double opt-in/],
    [{ webhook: { ...webhook, state: "none" } }, "webhook", "current", /Not registered/],
    [{ webhook: { ...webhook, state: "none" }, unreachable: true }, "webhook", "optional", /cannot reach/],
    [{ webhook: { ...webhook, state: "stale_key" } }, "webhook", "wrong", /a different API key/],
    [{ webhook: { ...webhook, state: "foreign", registered } }, "webhook", "wrong", /points to/],
    [{ webhook: { ...webhook, registered } }, "webhook", "wrong", /does not send: bounce/],
    [{ webhook: { kind: "unsupported", url: "" } }, "webhook", "optional", /Polling finds/],
    [{ webhook: { kind: "trouble", url: "", reason: "HTTP 503" } }, "webhook", "wrong", /HTTP 503/],
    [{ test: { ...READY.test, sentAt: undefined, confirmed: false } }, "test", "current", /Not sent yet/],
    [{ test: { ...READY.test, confirmed: false } }, "test", "current", /not confirmed yet/],
    [followed({ status: "queued", delivered: false }), "test", "current", /Waiting for the delivery/],
    [followed({}), "test", "current", /Waiting for the confirmation/],
    [followed({ status: "failed", reason: "no such list" }), "test", "wrong", /failed: no such list/],
    [followed({ status: "active", confirmedAt: 2 }), "test", "done", /delivered and confirmed/],
    [followed({ status: "active", unconfirmed: true }), "test", "wrong", /without asking for a confirmation/],
  ];
  for (const [facts, name, state, text] of cases) {
    const [found, summary] = step({ ...READY, ...facts }, name);
    assert.equal(found, state, `${name}: ${summary}`);
    assert.match(summary, text);
  }
});

Deno.test("the steps after one that is not done say which step they wait for, except those that are done", () => {
  const facts: SetupFacts = {
    ...READY,
    connection: { state: "untested" },
    webhook: undefined,
    test: { followed: undefined, sentAt: undefined, confirmed: false },
  };
  const states = setupSteps(facts).map(({ name, state, summary }) => [name, state, summary]);
  assert.deepEqual(states.slice(2), [
    ["connection", "current", "Not tested yet."],
    ["list", "done", "New signups go to News."],
    ["opt-in", "done", "On for News."],
    ["webhook", "later", "Waits for step 3."],
    ["test", "later", "Waits for step 3."],
  ]);
});

Deno.test("another provider is chosen together with its list, and the later steps wait for that", () => {
  const facts: SetupFacts = {
    ...READY,
    other: "MailerLite",
    usedLists: [],
    defaultList: "",
    webhook: undefined,
  };
  assert.match(step(facts, "provider")[1], /go to MailerLite until you switch in step 4/);
  assert.deepEqual(step(facts, "list"), ["current", "Choose a list, and switch to Brevo."]);
  assert.deepEqual(step(facts, "webhook"), ["later", "Waits for step 4."]);
  assert.match(step({ ...facts, lists: [] }, "list")[1], /Brevo has no list/);
  assert.match(step({ ...facts, listTrouble: "HTTP 503" }, "list")[1], /could not be read: HTTP 503/);
});
