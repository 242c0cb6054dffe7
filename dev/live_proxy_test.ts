import assert from "node:assert/strict";
import { createLiveProxy } from "./live_proxy.ts";

/** Starts the proxy in front of a server with a page at every path except `/data`, and a widget. */
async function started() {
  const widget = await Deno.makeTempDir({ prefix: "cfbe-dev-" });
  await Deno.mkdir(`${widget}/cfbe`);
  await Deno.writeTextFile(`${widget}/cfbe.js`, "loader");
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, ({ url }) => {
    const data = new URL(url).pathname === "/data";
    const headers = new Headers({ "content-type": data ? "application/json" : "text/html; charset=utf-8" });
    headers.append("set-cookie", "a=1");
    headers.append("set-cookie", "b=2");
    headers.set("content-security-policy", "script-src 'self'");
    return new Response(data ? "{}" : "<p>A page.", { headers });
  });
  const proxy = createLiveProxy(`http://127.0.0.1:${server.addr.port}`, widget);
  const front = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, proxy.fetch);
  return {
    proxy,
    server,
    widget,
    url: `http://127.0.0.1:${front.addr.port}`,
    async [Symbol.asyncDispose]() {
      await Promise.all([server.shutdown(), front.shutdown()]);
      await Deno.remove(widget, { recursive: true });
    },
  };
}

Deno.test("only pages of the demo and the admin get the reload script, from their own origin", async () => {
  await using front = await started();
  const at = async (path: string) => await (await fetch(front.url + path)).text();
  for (const path of ["/demo", "/demo/gallery", "/admin", "/admin/general"]) {
    assert.match(await at(path), /<script src="\/dev-reload\.js"><\/script>$/, path);
  }
  for (const path of ["/form/footer", "/sandbox", "/demonstration"]) {
    assert.equal(await at(path), "<p>A page.", path);
  }
  assert.equal(await at("/data"), "{}");
  assert.match(await at("/dev-reload.js"), /EventSource/);
});

Deno.test("the proxy keeps cookies and the content security policy", async () => {
  await using front = await started();
  const page = await fetch(`${front.url}/demo`);
  await page.body?.cancel();
  assert.deepEqual(page.headers.getSetCookie(), ["a=1", "b=2"]);
  assert.equal(page.headers.get("content-security-policy"), "script-src 'self'");
});

Deno.test("a reload reaches every open page", async () => {
  await using front = await started();
  const events = await fetch(`${front.url}/dev-reload`);
  const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader();
  assert.match((await reader.read()).value!, /^:/);
  front.proxy.reload();
  assert.equal((await reader.read()).value, "data: reload\n\n");
  await reader.cancel();
});

Deno.test("a page requested while the server restarts reloads once the server is up", async () => {
  await using front = await started();
  await front.server.shutdown();
  const page = await fetch(`${front.url}/demo`);
  assert.equal(page.status, 503);
  assert.match(await page.text(), /dev-reload\.js/);
});

Deno.test("a new build of the widget is served at once", async () => {
  await using front = await started();
  const at = async (path: string) => await (await fetch(front.url + path)).text();
  assert.equal(await at("/cfbe.js"), "loader");
  await Deno.writeTextFile(`${front.widget}/cfbe/form-abc_-123.js`, "form");
  assert.equal(await at("/cfbe/form-abc_-123.js"), "form");
  const missing = await fetch(`${front.url}/cfbe/form-older.js`);
  await missing.body?.cancel();
  assert.equal(missing.status, 404);
});
