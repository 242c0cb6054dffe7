import assert from "node:assert/strict";
import { signupStatuses } from "../../operations/remote/signup_status.ts";
import { registerWebhook } from "../../operations/provider/webhook.ts";
import { startProgram, type TestProgram } from "../../../dev/testing/program.ts";
import type { ProviderHarness } from "../conformance.ts";
import type { ProviderKind } from "../providers.ts";

/** The real program with one provider, whose settings come from the environment and the config file. */
export interface Journey extends AsyncDisposable {
  program: TestProgram;
  /** Signs up, and waits until the signup is at the provider. */
  signUp(email: string): Promise<void>;
  /** Returns the signup's status and list status. */
  state(email: string): Promise<[status: string | undefined, listStatus: string | undefined]>;
  /** Runs the poll, and returns the number of confirmations that it found. */
  poll(): Promise<number>;
  /** Registers the webhook as if cfbe had a public URL; the double cannot reach this one. */
  register(): ReturnType<typeof registerWebhook>;
  /** Posts a call to the webhook's URL, and returns the status of the response. */
  post(body: string, headers: Record<string, string>, query?: string): Promise<number>;
}

interface Connection {
  url: string;
  apiKey: string;
  list: string;
  settings?: Readonly<Record<string, string>>;
}

export async function startJourney(
  kind: ProviderKind,
  { url, apiKey, list, settings = {} }: Connection,
  webhooks: { secret?: string } = {},
): Promise<Journey> {
  const program = await startProgram({
    env: { CFBE_PROVIDER: kind, CFBE_PROVIDER_URL: url, CFBE_PROVIDER_API_KEY: apiKey },
    file: { settings: { general: { defaultList: list, ...settings }, webhooks } },
  });
  const { services } = program;
  return {
    program,
    async signUp(email) {
      const response = await program.subscribe({ email });
      assert.equal((await response.json()).code, "pending", "the neutral response");
      await program.runner.idle();
    },
    async state(email) {
      const record = (await signupStatuses(services, email))?.[0]?.record;
      return [record?.status, record?.listStatus];
    },
    poll: async () => (await services.poll.run()).confirmed,
    register: () =>
      registerWebhook({ ...services, config: { ...services.config, baseUrl: "https://n.example" } }),
    async post(body, headers, query = "") {
      const response = await fetch(`${program.api}/provider-hook${query}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
      });
      await response.body?.cancel();
      await program.runner.idle();
      return response.status;
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

const ADA = "ada@example.com";
const BOB = "bob@example.com";

/** Registers the tests of signups in the real program. Call it once for every adapter, with its harness. */
export function providerJourney(kind: ProviderKind, open: () => Promise<ProviderHarness>): void {
  const start = (harness: ProviderHarness) => startJourney(kind, { ...harness, list: harness.doubleOptIn });

  Deno.test(`${kind}: the provider sends the confirmation email of a signup, and only its confirmation makes the signup active`, async () => {
    await using harness = await open();
    await using app = await start(harness);
    await app.signUp(ADA);
    assert.deepEqual([await app.state(ADA), await harness.mailsTo(ADA)], [["pending", "pending"], 1]);
    assert.equal(await app.poll(), 0);
    assert.deepEqual(await app.state(ADA), ["pending", "pending"]);
    await harness.confirm({ list: harness.doubleOptIn, email: ADA });
    assert.equal(await app.poll(), 1);
    assert.deepEqual(await app.state(ADA), ["active", "active"]);
  });

  Deno.test(`${kind}: a repeated signup gets one email, and the poll finds its confirmation and no other`, async () => {
    await using harness = await open();
    await using app = await start(harness);
    for (const email of [ADA, ADA, BOB]) await app.signUp(email);
    assert.deepEqual([await app.state(ADA), await harness.mailsTo(ADA)], [["pending", "pending"], 1]);
    assert.equal(await app.poll(), 0);
    await harness.confirm({ list: harness.doubleOptIn, email: ADA });
    assert.equal(await app.poll(), 1);
    assert.deepEqual(await app.state(ADA), ["active", "active"]);
    assert.deepEqual(await app.state(BOB), ["pending", "pending"]);
  });

  Deno.test(`${kind}: the signup of somebody whose emails bounce or who is suppressed fails without an email`, async () => {
    await using harness = await open();
    await using app = await start(harness);
    const { suppressedAddress, bouncedAddress } = harness;
    const rows = [
      [suppressedAddress, "suppressed"],
      ...(bouncedAddress === undefined ? [] : [[bouncedAddress, "bounced"] as const]),
    ] as const;
    for (const [email, listStatus] of rows) {
      const before = await harness.mailsTo(email);
      await app.signUp(email);
      assert.deepEqual(await app.state(email), ["failed", listStatus]);
      assert.equal(await harness.mailsTo(email), before);
    }
  });

  Deno.test(`${kind}: somebody who left is on the list again only after they confirmed a new email, or their signup fails and says why`, async () => {
    await using harness = await open();
    await using app = await start(harness);
    const left = { list: harness.doubleOptIn, email: "left@example.com" };
    await harness.provider.subscribe(left, { tags: [] });
    await harness.confirm(left);
    await harness.unsubscribe(left);
    const before = await harness.mailsTo(left.email);
    await app.signUp(left.email);
    const { takesBack } = harness.provider.capabilities;
    assert.equal(await harness.mailsTo(left.email), before + (takesBack ? 1 : 0));
    if (takesBack) {
      assert.deepEqual(await app.state(left.email), ["pending", "pending"]);
      await app.signUp(left.email);
      assert.equal(await harness.mailsTo(left.email), before + 1);
      await harness.confirm(left);
      assert.equal(await app.poll(), 1);
      assert.deepEqual(await app.state(left.email), ["active", "active"]);
    } else {
      assert.deepEqual(await app.state(left.email), ["failed", "unsubscribed"]);
      const record = (await signupStatuses(app.program.services, left.email))?.[0]?.record;
      assert.match(record?.reason ?? "", /unsubscribed earlier, so this signup sent no email/);
    }
  });

  Deno.test(`${kind}: a signup whose response is lost becomes active with one email, once the person confirmed`, async () => {
    await using harness = await open();
    // There, nothing is left to confirm before the retry, which `reliability_test.ts` tests.
    if (harness.provider.capabilities.sendsSeparately) return;
    await using app = await start(harness);
    await harness.fault("lost response");
    await app.signUp(ADA);
    assert.deepEqual(await app.state(ADA), ["queued", undefined]);
    await harness.fault("none");
    await harness.confirm({ list: harness.doubleOptIn, email: ADA });
    await app.poll();
    assert.deepEqual([await app.state(ADA), await harness.mailsTo(ADA)], [["active", "active"], 1]);
  });
}
