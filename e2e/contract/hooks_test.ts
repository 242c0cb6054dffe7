/** Chapter 12 of the contract, from outside: a config file whose hooks write what they get to a file. */
import assert from "node:assert/strict";
import { anyEmail, type Service, statements, until } from "./service.ts";

const SECRET = "a-secret-for-webhooks-of-tests";
const WHY = "needs its own settings";

const { here } = statements({
  config: `{
    settings: { general: { modules: { webhooks: true } } },
    actions: {
      cfbe_subscribed: [() => { throw new Error("broken"); }, (event) => write({ name: "cfbe_subscribed", ...event })],
      cfbe_webhook_received: (event) => write({ name: "cfbe_webhook_received", ...event }),
      cfbe_confirmed: (event) => write({ name: "cfbe_confirmed", ...event }),
    },
    filters: {
      cfbe_client_ip: () => \`2001:db8:\${crypto.randomUUID().slice(0, 4)}::1\`,
      cfbe_signup_site_limit: () => 12,
      cfbe_signup: (signup) => signup.email.startsWith("refused") ? false : signup,
    },
  };
  const write = (event) =>
    Deno.writeTextFileSync(new URL("events", import.meta.url), JSON.stringify(event) + "\\n", { append: true })`,
  env: { CFBE_WEBHOOK_SECRET: SECRET },
});

interface Event {
  name: string;
  email?: string;
  outcome?: string;
  action?: string;
  at?: number;
  record?: Record<string, unknown>;
  payload?: { type?: string };
}

async function events(service: Service, name: string): Promise<Event[]> {
  const text = await Deno.readTextFile(`${service.program.folder}/events`).catch(() => "");
  return text.split("\n").filter(Boolean).map((line) => JSON.parse(line)).filter((event) =>
    event.name === name
  );
}

const subscribed = async (service: Service, email: string) =>
  (await events(service, "cfbe_subscribed")).filter((event) => event.email === email);

here(
  "cfbe_subscribed fires once for each accepted signup, with an outcome that no response contains",
  WHY,
  async (service) => {
    const id = crypto.randomUUID().slice(0, 8);
    const expected = {
      new: "pending",
      bounced: "suppressed",
      suppressed: "suppressed",
      active: "already_active",
      down: "queued",
    };
    for (const [name, outcome] of Object.entries(expected)) {
      const email = `${name}+${id}@${name}.example`;
      const { status, json } = await service.signUp({ email });
      assert.deepEqual([status, json.code], [200, "pending"], name);
      await until(`the event of ${name}`, async () => (await subscribed(service, email)).length > 0);
      const [event, ...others] = await subscribed(service, email);
      assert.equal(others.length, 0);
      assert.equal(event!.outcome, outcome, name);
      assert.ok(Math.abs(event!.at! - Date.now()) < 60_000);
      for (const member of ["email", "list", "status", "since", "tags", "source", "createdAt", "updatedAt"]) {
        assert.ok(member in event!.record!, `${name}: ${member}`);
      }
    }
  },
);

here("a rejected address becomes failed, while the visitor sees the success", WHY, async (service) => {
  const email = `bounced+${crypto.randomUUID()}@rejected.example`;
  assert.equal((await service.signUp({ email })).status, 200);
  await until("the delivery", async () => (await subscribed(service, email)).length > 0);
  const { record } = await service.stored(email);
  assert.equal(record.status, "failed");
});

here(
  "cfbe_webhook_received fires for every authenticated webhook, and for no other",
  WHY,
  async (service) => {
    const post = (type: string, secret: string) =>
      service.call("provider-hook", { json: { type }, headers: { "x-cfbe-secret": secret } });
    await post("not-authenticated", "wrong");
    await post("authenticated", SECRET);
    // The sandbox calls the webhook too.
    const received = async () =>
      (await events(service, "cfbe_webhook_received")).filter(({ payload }) =>
        /authenticated/.test(payload!.type!)
      );
    await until("the event", async () => (await received()).length > 0);
    assert.deepEqual((await received()).map(({ payload, action }) => [payload!.type, action]), [[
      "authenticated",
      "received",
    ]]);
  },
);

here("a filter that refuses a signup drops it, with the same response as a success", WHY, async (service) => {
  const [refused, accepted] = [`refused-${anyEmail()}`, anyEmail()];
  const answers = [await service.signUp({ email: refused }), await service.signUp({ email: accepted })];
  assert.equal(answers[0]!.text, answers[1]!.text);
  await until("the delivery", async () => (await subscribed(service, accepted)).length > 0);
  assert.deepEqual(await service.status(refused), []);
  assert.deepEqual(await subscribed(service, refused), []);
});

here("a confirmation fires cfbe_confirmed", WHY, async (service) => {
  const email = anyEmail();
  await service.signUp({ email });
  await until("the email", async () => (await service.mails(email)).length > 0);
  const [mail] = await service.mails(email);
  await (await fetch(mail!.links.confirm!)).body?.cancel();
  await until(
    "the event",
    async () => (await events(service, "cfbe_confirmed")).some((event) => event.email === email),
  );
});

here("the filters of the visitor's IP and of the site's limit replace both", WHY, async (service) => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => service.signUp({ email: anyEmail() })));
  const accepted = answers.filter(({ status }) => status === 200).length;
  // Signups of the tests above may be in the same minute. All come from one peer, and more than 5 were accepted.
  assert.ok(accepted <= 12, `${accepted}`);
  assert.ok((await events(service, "cfbe_subscribed")).length + accepted > 5);
  assert.equal(answers.filter(({ status }) => status === 429).length, 20 - accepted);
});
