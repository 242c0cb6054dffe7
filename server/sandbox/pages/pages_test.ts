import assert from "node:assert/strict";
import { type Served, serveSandbox } from "../testing/serve.ts";

const PAGES = ["/sandbox", "/sandbox/contacts", "/sandbox/webhook", "/sandbox/faults", "/sandbox/nothing"];

async function text(served: Served, path: string, init?: RequestInit): Promise<string> {
  return await (await served.page(path, init)).text();
}

function form(fields: Record<string, string>, headers: Record<string, string> = {}): RequestInit {
  return { method: "POST", body: new URLSearchParams(fields), headers };
}

Deno.test("every page says that no real email is sent, runs no inline script and is not cached", async () => {
  await using served = await serveSandbox();
  for (const path of PAGES) {
    const response = await served.page(path);
    const page = await response.text();
    assert.match(page, /No real email is sent/, path);
    assert.doesNotMatch(page, /<script(?![^>]* src=)|<style| style=| on[a-z]+=/i, path);
    const policy = response.headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'.*script-src 'self'/, path);
    assert.doesNotMatch(policy, /unsafe/, path);
    assert.equal(response.headers.get("cache-control"), "no-store", path);
  }
});

Deno.test("names and addresses are rendered as text, whatever they contain", async () => {
  await using served = await serveSandbox();
  const provider = served.provider();
  await provider.setWebhook({ url: served.hookUrl, secretKey: served.provisioned.apiKey });
  const name = `<img src=x onerror=alert(1)>"'&</p><script>alert(2)</script>`;
  const list = served.provisioned.list;
  await provider.subscribe({ list, email: "auto+'{}&`x@example.com" }, { name, tags: [] });
  await served.sandbox.idle();
  const filter = encodeURIComponent(`"><script>alert(3)</script>`);
  const pages = await Promise.all(
    ["/sandbox", `/sandbox?email=${filter}`, "/sandbox/contacts", "/sandbox/webhook"].map((path) =>
      text(served, path)
    ),
  );
  const { mails: [mail] } = await served.json("/sandbox/inbox.json");
  pages.push(await (await fetch(mail.links.confirm)).text());
  for (const page of pages) assert.doesNotMatch(page, /<img src=x|<script>alert/);
  assert.match(pages[0]!, /&lt;img src=x onerror=alert\(1\)>/);
});

Deno.test("the inbox is paginated from new to old by a cursor", async () => {
  await using served = await serveSandbox();
  assert.match(await text(served, "/sandbox"), /No emails yet/);
  const provider = served.provider();
  for (let index = 0; index < 25; index++) {
    await provider.subscribe({ list: served.provisioned.list, email: `r${index}@example.com` }, { tags: [] });
  }
  const seen: string[] = [];
  let path = "/sandbox";
  for (let pages = 0; pages < 3; pages++) {
    const page = await text(served, path);
    seen.push(...[...page.matchAll(/class="to">(r\d+@)/g)].map((match) => match[1]!));
    const older = /href="([^"]+)" rel="next"/.exec(page)?.[1];
    if (!older) break;
    path = older.replace(served.baseUrl, "").replaceAll("&amp;", "&");
  }
  assert.equal(new Set(seen).size, 25);
  assert.equal(seen.length, 25);
  const one = await served.json("/sandbox/inbox.json?email=R7@example.com");
  assert.deepEqual(one.mails.map((mail: { to: string }) => mail.to), ["r7@example.com"]);
  assert.match(await text(served, "/sandbox?before=nonsense&limit=-1"), /r24@/);
});

Deno.test("the inbox finds the emails to every address that contains the text, in pages, and takes it literally", async () => {
  await using served = await serveSandbox();
  const provider = served.provider();
  for (let index = 0; index < 44; index++) {
    const email = `${index % 2 ? "ann" : "ben"}${index}@example.com`;
    await provider.subscribe({ list: served.provisioned.list, email }, { tags: [] });
  }
  const found = async (path: string) => {
    const page = await text(served, path);
    const next = /href="([^"]+)" rel="next"/.exec(page)?.[1];
    return { to: [...page.matchAll(/class="to">([^<]+)</g)].map(([, to]) => to!), next };
  };
  const first = await found("/sandbox?email=ANN");
  const second = await found(first.next!.replace(served.baseUrl, "").replaceAll("&amp;", "&"));
  assert.deepEqual([first.to.length, second.to.length, second.next], [20, 2, undefined]);
  assert.ok([...first.to, ...second.to].every((to) => to.startsWith("ann")));
  assert.deepEqual((await found("/sandbox?email=43%40example.c")).to, ["ann43@example.com"]);
  for (const literal of ["ann%", "ann_3", "ann.*", ".."]) {
    assert.deepEqual((await found(`/sandbox?email=${encodeURIComponent(literal)}`)).to, [], literal);
  }
  assert.match(await text(served, "/sandbox?email=nobody"), /No emails to an address with “nobody”/);
});

Deno.test("contacts are listed with lists, tags and properties, in pages", async () => {
  await using served = await serveSandbox();
  assert.match(await text(served, "/sandbox/contacts"), /0 contacts[^]*No contacts yet/);
  const provider = served.provider();
  await provider.subscribe({ list: served.provisioned.list, email: "ada@example.com" }, {
    name: "Ada",
    tags: ["a"],
  });
  await provider.saveContact("ada@example.com", { tags: ["a", "b"], properties: { orderCount: 2 } });
  const one = await text(served, "/sandbox/contacts?skip=nonsense");
  assert.match(
    one,
    /1 contact<[^]*ada@example\.com<[^]*>Ada<[^]*>a, b<[^]*>Newsletter<[^]*orderCount<\/code> 2/,
  );
  for (let at = 0; at < 50; at++) {
    await provider.saveContact(`c${at}@example.com`, { tags: [], properties: {} });
  }
  const first = await text(served, "/sandbox/contacts");
  assert.match(first, /skip=50" rel="next"/);
  const second = await text(served, "/sandbox/contacts?skip=50");
  assert.equal([...(first + second).matchAll(/class="to">/g)].length, 51);
  assert.match(second, /href="[^"]*\/sandbox\/contacts" rel="prev"/);
});

Deno.test("without permission, the pages and the fault form return 403, while the API and the links in emails work", async () => {
  await using served = await serveSandbox({ allowed: (request) => request.headers.has("x-admin") });
  const provider = served.provider();
  await provider.subscribe({ list: served.provisioned.list, email: "a@example.com" }, { tags: [] });
  for (const path of [...PAGES, "/sandbox/inbox.json", "/sandbox/subscribers.json", "/sandbox/faults.json"]) {
    const response = await served.page(path);
    assert.equal(response.status, 403, path);
    assert.doesNotMatch(await response.text(), /a@example/, path);
  }
  const post = await served.page("/sandbox/faults", form({ mode: "503" }));
  assert.equal(post.status, 403);
  await post.body?.cancel();
  const { mails: [mail] } = await served.json("/sandbox/inbox.json", { headers: { "x-admin": "1" } });
  const link = await fetch(mail.links.confirm);
  assert.equal(link.status, 200);
  await link.body?.cancel();
});

Deno.test("a form on another site cannot change faults or the webhook", async () => {
  await using served = await serveSandbox();
  const own = new URL(served.baseUrl).origin;
  const foreign: Record<string, string>[] = [
    {},
    { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    { origin: "null" },
  ];
  for (const path of ["/sandbox/faults", "/sandbox/webhook/register", "/sandbox/webhook/remove"]) {
    for (const headers of foreign) {
      const response = await served.page(path, form({ mode: "503" }, headers));
      assert.equal(response.status, 403);
      await response.body?.cancel();
    }
  }
  assert.deepEqual(await served.json("/sandbox/faults.json"), { mode: "none", webhooks: "deliver" });
  const saved = await served.page(
    "/sandbox/faults",
    form({ mode: "503", retryAfterSeconds: "9" }, { origin: own }),
  );
  await saved.body?.cancel();
  assert.equal(saved.status, 303);
  assert.equal(saved.headers.get("location"), `${served.baseUrl}/sandbox/faults?saved`);
  assert.deepEqual(await served.json("/sandbox/faults.json"), {
    mode: "503",
    webhooks: "deliver",
    retryAfterSeconds: 9,
  });
  assert.match(await text(served, "/sandbox"), /Simulated failures:/);
});

Deno.test("unknown or invalid faults are rejected and change nothing", async () => {
  await using served = await serveSandbox();
  for (const body of ["", "null", '{"mode":"all"}', '{"mod":"503"}', '{"retryAfterSeconds":-1}', "{"]) {
    const headers = { "content-type": "application/json" };
    const response = await served.page("/sandbox/faults", { method: "POST", body, headers });
    assert.equal(response.status, 400, body);
    await response.body?.cancel();
  }
  await served.faults({ mode: "429", retryAfterSeconds: 5 });
  await served.faults({ webhooks: "lose" });
  assert.deepEqual(await served.json("/sandbox/faults.json"), {
    mode: "429",
    retryAfterSeconds: 5,
    webhooks: "lose",
  });
  await served.faults({ mode: "none", retryAfterSeconds: null });
  assert.deepEqual(await served.json("/sandbox/faults.json"), { mode: "none", webhooks: "lose" });
});

Deno.test("buttons register this service's own webhook URL and remove it", async () => {
  await using served = await serveSandbox();
  const headers = { "sec-fetch-site": "same-origin" };
  await (await served.page("/sandbox/webhook/register", form({}, headers))).body?.cancel();
  const hook = `${served.baseUrl}/wp-json/cfbe/v1/provider-hook`;
  assert.equal((await served.json("/sandbox/webhook.json")).url, hook);
  const found = await served.provider().getWebhook();
  const events = ["subscription", "bounce", "complaint"];
  assert.deepEqual(found, {
    kind: "webhook",
    webhook: { url: hook, events, missing: [], surplus: [], keyFits: true },
  });
  await (await served.page("/sandbox/webhook/remove", form({}, headers))).body?.cancel();
  assert.equal((await served.json("/sandbox/webhook.json")).url, null);
});

Deno.test("assets have their content type and an ETag, and no file outside their folder is served", async () => {
  await using served = await serveSandbox();
  const types = { "sandbox.css": "text/css", "sandbox.js": "text/javascript", "icon.svg": "image/svg+xml" };
  for (const [file, type] of Object.entries(types)) {
    const response = await served.page(`/sandbox/assets/${file}`);
    assert.match(response.headers.get("content-type") ?? "", new RegExp(`^${type.replace("+", "\\+")}`));
    const tag = response.headers.get("etag")!;
    await response.body?.cancel();
    const again = await served.page(`/sandbox/assets/${file}`, { headers: { "if-none-match": tag } });
    assert.equal(again.status, 304);
  }
  for (
    const path of [
      "../../sandbox.ts",
      "..%2F..%2Fsandbox.ts",
      "%2e%2e/%2e%2e/sandbox.ts",
      "..%5C..%5Csandbox.ts",
      "",
    ]
  ) {
    const response = await served.page(`/sandbox/assets/${path}`);
    assert.equal(response.status, 404, path);
    await response.body?.cancel();
  }
});

Deno.test("without a path prefix every link starts at the root", async () => {
  await using served = await serveSandbox({ prefix: "" });
  const page = await text(served, "/sandbox");
  const origin = new URL(served.baseUrl).origin;
  for (const [, href] of page.matchAll(/(?:href|src|action)="([^"#][^"]*)"/g)) {
    assert.ok(href!.startsWith(`${origin}/sandbox`) || href === `${origin}/demo`, href);
  }
});

Deno.test("the newest confirmation email to an address is returned with its link", async () => {
  await using served = await serveSandbox();
  const target = { list: served.provisioned.list, email: "last@example.com" };
  assert.equal(await served.sandbox.lastMailTo(target.email), null);
  await served.provider().subscribe(target, { tags: [] });
  const json = { email: target.email, transactionalId: "later" };
  await (await served.api("/send-transactional", { method: "POST", json })).body?.cancel();
  const mail = await served.sandbox.lastMailTo("Last@Example.com");
  assert.ok(mail && Date.now() - mail.at < 60_000);
  await (await fetch(mail.link)).body?.cancel();
  assert.partialDeepStrictEqual(await served.provider().status(target), { kind: "found", status: "active" });
});
