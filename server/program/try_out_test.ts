import assert from "node:assert/strict";
import { loadLists } from "../operations/provider/lists.ts";
import { settingsShown } from "../operations/remote/settings.ts";
import { webhookState } from "../operations/provider/webhook.ts";
import { startProgram } from "../../dev/testing/program.ts";

/** Sandbox and demo show every address, so without an admin session only this machine may see them. */

const PATHS = ["/sandbox", "/sandbox/inbox.json", "/demo"];

Deno.test("without an admin session, sandbox and demo respond only to a loopback peer with a loopback Host", async () => {
  await using program = await startProgram({ env: { CFBE_BASE_URL: "http://localhost:8000" } });
  const app = await program.createApp();
  const status = async (path: string, peer: string | undefined, headers: Record<string, string>) => {
    const response = await app.request(path, { headers }, peer === undefined ? {} : { peer });
    await response.body?.cancel();
    return response.status;
  };
  for (const path of PATHS) {
    for (const peer of ["127.0.0.1", "::1", "::ffff:127.0.0.1", "127.9.9.9"]) {
      for (const host of ["localhost:8000", "127.0.0.1:8000", "[::1]:8000", "demo.localhost"]) {
        assert.equal(await status(path, peer, { host }), 200, `${path} from ${peer} at ${host}`);
      }
    }
    for (
      const host of [
        "evil.example",
        "evil.example:8000",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "",
      ]
    ) {
      assert.equal(await status(path, "127.0.0.1", { host }), 403, `${path} at ${host}`);
    }
    for (const peer of ["192.168.1.7", "10.0.0.1", "203.0.113.7", "2001:db8::1", "", undefined]) {
      assert.equal(await status(path, peer, { host: "localhost:8000" }), 403, `${path} from ${peer}`);
    }
    for (const name of ["x-forwarded-for", "x-real-ip", "cf-connecting-ip", "forwarded"]) {
      const headers = { host: "localhost:8000", [name]: "203.0.113.7" };
      assert.equal(
        await status(path, "127.0.0.1", headers),
        403,
        `${path} through a proxy that sets ${name}`,
      );
    }
    const authorization = `Bearer ${program.config.apiToken}`;
    assert.equal(await status(path, "203.0.113.7", { host: "evil.example", authorization }), 200, path);
  }
});

Deno.test("a provider that is set up beside the sandbox changes nothing until it is chosen", async () => {
  await using program = await startProgram();
  const { services } = program;
  const { settings } = services;
  assert.deepEqual([settings.current().general.projectId, settings.current().general.apiKey], ["", ""]);
  assert.equal(settingsShown(settings).secrets["general.apiKey"], false);
  await settings.save("general", { projectId: "65f0a1", apiKey: "a-key-of-bluefox" });
  assert.equal((await loadLists(services)).kind, "loaded");
  assert.equal((await webhookState(services) as { state: string }).state, "ours");
  await (await program.subscribe({ email: "ada@example.com" })).body?.cancel();
  await program.runner.idle();
  assert.ok(await program.sandbox!.lastMailTo("ada@example.com"));
  assert.notEqual(settings.apiKey(), "a-key-of-bluefox");
});

Deno.test("the sandbox works while the environment chooses it, whatever key and project were saved", async () => {
  const general = { projectId: "wrong", apiKey: "wrong" };
  const env = { CFBE_PROVIDER: "sandbox", CFBE_PROVIDER_API_KEY: "wrong", CFBE_PROVIDER_PROJECT: "wrong" };
  await using program = await startProgram({ env, file: { settings: { general } }, run: false });
  assert.equal((await loadLists(program.services)).kind, "loaded");
});
