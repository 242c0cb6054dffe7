import assert from "node:assert/strict";
import { NAMESPACE } from "../../../shared/contract.ts";
import type { Services } from "../../program/services.ts";
import type { TestProgram } from "../../../dev/testing/program.ts";
import { diagnose } from "./doctor.ts";
import { healthy, ids } from "./testing/healthy.ts";

/** The doctor's checks of where visitors' IPs come from. */

async function visit(program: TestProgram, count: number, headers: (n: number) => Record<string, string>) {
  for (let n = 0; n < count; n++) {
    const response = await fetch(`${program.api}/subscribe`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers(n) },
      body: JSON.stringify({ source: "shortcode", email: "", cfbe_token: program.token() }),
    });
    await response.body?.cancel();
  }
}

Deno.test("an untrusted proxy header is reported, and the advised setting fixes it", async () => {
  await using world = await healthy();
  await world.services.settings.save("privacy", { ipSource: "default" });
  const settings = { ...world.services.settings.current(), privacy: { ipSource: "default" } };
  const services = { ...world.services, settings: { ...world.services.settings, current: () => settings } };
  await visit(world.program, 6, (n) => ({ "x-forwarded-for": `203.0.113.${n}` }));
  const { findings } = await diagnose(services as unknown as Services, { fetch });
  assert.deepEqual(findings.map(({ id }) => id), ["proxy.not_trusted"]);
  assert.match(findings[0]!.todo, /privacy\.ipSource x-forwarded-for/);
  // The program trusts x-real-ip, which nobody sends.
  assert.deepEqual(await ids(world.services), ["proxy.header_missing"]);
});

Deno.test("a proxy outside the trusted ranges is reported", async () => {
  await using world = await healthy();
  const { current, ...store } = world.services.settings;
  const { privacy, ...rest } = current();
  const settings = {
    ...store,
    current: () => ({ ...rest, privacy: { ...privacy, trustedProxies: ["10.0.0.0/8"] } }),
  };
  const client = { ...world.services, settings } as unknown as Services;
  for (let n = 0; n < 6; n += 1) {
    world.services.proxyHeaders.record(new Headers({ "x-real-ip": `203.0.113.${n}` }), "127.0.0.1", false);
  }
  assert.deepEqual(await ids(client), ["proxy.not_in_range"]);
});

Deno.test("visitors who all share one IP are reported", async () => {
  await using world = await healthy();
  await visit(world.program, 30, () => ({ "x-real-ip": "203.0.113.9" }));
  assert.deepEqual(await ids(world.services), ["proxy.one_ip"]);
});

Deno.test("five openings of a form are enough for the check of visitor IPs", async () => {
  await using world = await healthy();
  const name = "visitor IPs are distinguishable";
  const open = async (query: string, headers: Record<string, string> = {}) =>
    void await (await fetch(`${world.program.api}/form-token${query}`, { headers })).body?.cancel();
  // A script that signs up without a form, and a preview in the admin.
  for (let n = 0; n < 5; n++) {
    await open("");
    await open("?form=footer", { referer: `${world.program.baseUrl}/admin/forms` });
  }
  const before = await diagnose(world.services, { fetch });
  assert.match(before.reasons[name]!, /0 of 5 requests/);
  for (let n = 0; n < 5; n++) await open("?form=footer", { "x-real-ip": `203.0.113.${n}` });
  const after = await diagnose(world.services, { fetch });
  assert.ok(after.passed.includes(name));
});

Deno.test("requests of the command line, scripts, webhooks and the admin do not count as visitors", async () => {
  await using world = await healthy();
  const { baseUrl, config } = world.program;
  const headers = { authorization: `Bearer ${config.apiToken}` };
  const posts = ["/admin/login", "/integrations/signup", `${NAMESPACE}/provider-hook`, "/shop-hook/generic"];
  for (const path of ["/ops/counts", ...posts]) {
    const method = path === "/ops/counts" ? "GET" : "POST";
    await (await fetch(`${baseUrl}${path}`, { method, headers })).body?.cancel();
  }
  assert.equal(world.services.proxyHeaders.read().requests, 0);
});
