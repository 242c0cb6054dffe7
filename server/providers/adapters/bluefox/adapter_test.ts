import assert from "node:assert/strict";
import { createBluefox } from "./adapter.ts";
import { serveSandbox } from "../../../sandbox/testing/serve.ts";

/** For calls that hang: by then, the sandbox has applied the change, even on a busy machine. Others could exceed it. */
const SHORT = { timeoutMs: 1_000 };

/** For each fault: the result of a subscribe, and whether the person is on the list afterward. */
const FAULTS = [
  { mode: "429", retryAfterSeconds: 7, unknown: false, took: false, reason: /HTTP 429/ },
  { mode: "500", unknown: true, took: false, reason: /HTTP 500/ },
  { mode: "503", unknown: true, took: false, reason: /HTTP 503/ },
  { mode: "hang", unknown: true, took: false, reason: /no response within 1000 ms/ },
  { mode: "hang-after", unknown: true, took: true, reason: /no response within 1000 ms/ },
  { mode: "error-after", unknown: true, took: true, reason: /HTTP 500/ },
  { mode: "reset", unknown: true, took: false, reason: /connection broke/ },
  { mode: "garbage", unknown: true, took: false, reason: /not the provider's/ },
  { mode: "403", unknown: false, took: false, reason: /allowlist/ },
  { mode: "whitelist", unknown: false, took: false, reason: /allowlist/ },
  { mode: "credits", unknown: false, took: false, reason: /credits/ },
];

Deno.test("every fault is trouble that says whether the call may have taken effect", async () => {
  await using served = await serveSandbox();
  const provider = served.provider();
  const impatient = served.provider(SHORT);
  for (const { mode, retryAfterSeconds, unknown, took, reason } of FAULTS) {
    const target = { list: served.provisioned.list, email: `${mode}@example.com` };
    await served.faults({ mode, retryAfterSeconds: retryAfterSeconds ?? null });
    const result = await (mode.startsWith("hang") ? impatient : provider).subscribe(target, { tags: [] });
    assert.ok(result.kind === "trouble", mode);
    assert.equal(result.unknown, unknown, mode);
    assert.equal(result.retryAfterMs, retryAfterSeconds && retryAfterSeconds * 1000, mode);
    assert.match(result.reason, reason, mode);
    await served.faults({ mode: "none" });
    const status = await provider.status(target);
    assert.partialDeepStrictEqual(
      status,
      took ? { kind: "found", status: "pending" } : { kind: "absent" },
      mode,
    );
  }
});

Deno.test("a wrong key, another project and a missing list are trouble, not a rejected address", async () => {
  await using served = await serveSandbox();
  const target = { list: served.provisioned.list, email: "a@example.com" };
  const providers = [served.provider({ apiKey: "wrong" }), served.provider({ project: "other" })];
  for (const provider of providers) {
    const results = [
      await provider.subscribe(target, { tags: [] }),
      await provider.status(target),
      await provider.lists(),
      await provider.getWebhook(),
    ];
    assert.equal((await provider.connection()).kind, "forbidden");
    for (const result of results) assert.match(result.kind === "trouble" ? result.reason : "", /HTTP 403/);
  }
  const lost = await served.provider().changed("nowhere", 0);
  assert.ok(lost.kind === "trouble" && !lost.unknown);
});

Deno.test("the key is read again for each call", async () => {
  await using served = await serveSandbox();
  const keys: (string | undefined)[] = [];
  const provider = served.provider({ apiKey: () => keys.at(-1) });
  assert.equal((await provider.connection()).kind, "trouble");
  keys.push(served.provisioned.apiKey);
  assert.equal((await provider.connection()).kind, "connected");
});

Deno.test("test addresses behave as the inbox page says", async () => {
  await using served = await serveSandbox({ timing: { slowMs: 1_500 } });
  const provider = served.provider();
  const at = (email: string) => ({ list: served.provisioned.list, email });
  const subscribe = async (email: string) => (await provider.subscribe(at(email), { tags: [] })).kind;
  assert.equal(await subscribe("bounced@example.com"), "suppressed");
  assert.equal(await subscribe("bounced+7@example.com"), "suppressed");
  assert.equal(await subscribe("suppressed@example.com"), "suppressed");
  assert.equal(await subscribe("down@example.com"), "trouble");
  assert.equal(
    (await served.provider(SHORT).subscribe(at("slow@example.com"), { tags: [] })).kind,
    "trouble",
  );
  assert.equal(await subscribe("unsubscribed@example.com"), "exists");
  assert.equal(await subscribe("active@example.com"), "exists");
  assert.partialDeepStrictEqual(await provider.status(at("unsubscribed@example.com")), {
    kind: "found",
    status: "unsubscribed",
  });
  assert.partialDeepStrictEqual(await provider.status(at("active+2@example.com")), {
    kind: "found",
    status: "active",
  });
  assert.equal(await subscribe("auto@example.com"), "accepted");
  await served.sandbox.idle();
  assert.partialDeepStrictEqual(await provider.status(at("auto@example.com")), {
    kind: "found",
    status: "active",
  });
});

Deno.test("the webhook is registered for three events, and another system's is not overwritten without replace", async () => {
  await using served = await serveSandbox();
  const provider = served.provider();
  const secretKey = served.provisioned.apiKey;
  assert.deepEqual(await provider.getWebhook(), { kind: "webhook", webhook: null });
  const foreign = { url: "https://foreign.example/hook", secretKey, open: true };
  await (await served.api("/webhook", { method: "PATCH", json: foreign })).body?.cancel();

  const wanted = { url: "https://own.example/hook", secretKey };
  assert.deepEqual(await provider.setWebhook(wanted), { kind: "foreign", url: foreign.url });
  const events = ["subscription", "bounce", "complaint"];
  const webhook = { url: wanted.url, events, missing: [], surplus: [], keyFits: true };
  assert.deepEqual(await provider.setWebhook({ ...wanted, replace: true }), { kind: "registered", webhook });
  assert.deepEqual(await provider.setWebhook(wanted), { kind: "registered", webhook });
  assert.deepEqual(await provider.getWebhook(), { kind: "webhook", webhook });

  assert.equal(
    (await provider.setWebhook({ ...wanted, secretKey: "not a key of the project" })).kind,
    "refused",
  );
});

Deno.test("null, an empty object and a 404 mean that a project has no webhook", async () => {
  const rows: [status: number, body: unknown, kind: string][] = [
    [200, { status: 200, result: null }, "webhook"],
    [200, { status: 200, result: {} }, "webhook"],
    [404, { status: 404, error: { name: "NOT_FOUND", message: "Webhook not found." } }, "webhook"],
    [404, { status: 404, error: { name: "NOT_FOUND", message: "Project not found." } }, "trouble"],
    [404, "<html>", "trouble"],
    [200, { status: 200, result: { url: 7 } }, "trouble"],
  ];
  for (const [status, body, kind] of rows) {
    const provider = createBluefox({
      baseUrl: "https://provider.example",
      project: "p",
      apiKey: "k",
      fetch: () => Promise.resolve(Response.json(body, { status })),
    });
    const found = await provider.getWebhook();
    assert.equal(found.kind, kind, JSON.stringify(body));
    if (found.kind === "webhook") assert.equal(found.webhook, null);
  }
});

Deno.test("calls to the sandbox can stay in the process, where they can time out too", async () => {
  await using served = await serveSandbox();
  const outside = () => assert.fail("must not leave the process");
  const fetch = served.sandbox.localFetch(outside);
  const provider = served.provider({ fetch });
  const target = { list: served.provisioned.list, email: "in@example.com" };
  assert.equal((await provider.subscribe(target, { tags: [] })).kind, "accepted");
  await served.faults({ mode: "hang" });
  const hung = await served.provider({ fetch, ...SHORT }).status(target);
  assert.match(hung.kind === "trouble" ? hung.reason : "", /no response within/);
  await served.faults({ mode: "reset" });
  assert.equal((await provider.status(target)).kind, "trouble");
});

Deno.test("a triggered email has template, addresses and data, and every fault says whether it may have been sent", async () => {
  await using served = await serveSandbox();
  const provider = served.provider();
  const impatient = served.provider(SHORT);
  const mailTo = (email: string) =>
    ({ template: "cart", emails: [email], data: { link: "https://shop.example/" } }) as const;
  const count = async (email: string) =>
    (await served.json(`/sandbox/inbox.json?email=${encodeURIComponent(email)}`)).mails.length;
  assert.deepEqual(await provider.sendTriggered(mailTo("a@example.com")), { kind: "sent" });
  const { mails: [mail] } = await served.json("/sandbox/inbox.json");
  assert.deepEqual([mail.to, mail.kind, mail.subject], ["a@example.com", "triggered", "Template cart"]);
  assert.deepEqual(JSON.parse(mail.text), { link: "https://shop.example/" });

  for (const { mode, retryAfterSeconds, took } of FAULTS) {
    const email = `${mode}@example.com`;
    await served.faults({ mode, retryAfterSeconds: retryAfterSeconds ?? null });
    const result = await (mode.startsWith("hang") ? impatient : provider).sendTriggered(mailTo(email));
    await served.faults({ mode: "none" });
    assert.ok(result.kind === "trouble", mode);
    const certain = ["429", "503", "403", "whitelist", "credits"].includes(mode);
    assert.equal(result.unknown, !certain, mode);
    assert.equal(result.retryAfterMs, retryAfterSeconds && retryAfterSeconds * 1000, mode);
    assert.equal(await count(email), took ? 1 : 0, mode);
  }
});

Deno.test("an empty list of addresses is refused without a request", async () => {
  await using served = await serveSandbox();
  const provider = served.provider({ fetch: () => assert.fail("must not be called") });
  for (const emails of [[], [""], ["a@example.com", " "]]) {
    const mail = { template: "cart", emails: emails as unknown as [string], data: {} };
    assert.equal((await provider.sendTriggered(mail)).kind, "refused");
  }
});
