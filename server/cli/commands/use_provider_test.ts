import assert from "node:assert/strict";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { stubProvider } from "../../../dev/testing/stub_provider.ts";
import { cfbe, runningService } from "../testing/cli.ts";

Deno.test("another provider is chosen with its lists after confirmation, and the command says what prevents it", async () => {
  await using program = await runningService();
  const env = program.shell;
  const { services } = program;
  const use = (shell: Parameters<typeof cfbe>[0], ...args: string[]) =>
    cfbe({ env, ...shell }, "provider", "use", "listmonk", "--default-list", "3", ...args);
  const unknown = await cfbe({ env }, "provider", "use", "nope", "--default-list", "3");
  assert.match(unknown.err, /^There is no provider nope\. Choose one of: /);
  const unset = (await use({}, "--yes")).err;
  assert.match(unset, /^Enter listmonk's URL and the API token first: /);
  assert.match(
    unset,
    /settings set general\.listmonkUrl <value>` and `.* general\.listmonkToken --stdin`\.$/,
  );

  const listmonk = stubProvider(new ManualClock());
  const lists = ["3", "4"].map((id) => ({ id, name: id, doubleOptIn: true }));
  listmonk.lists = () => Promise.resolve({ kind: "lists", lists });
  services.providerNamed = () => listmonk;
  const own = { listmonkUrl: "https://lists.example", listmonkToken: "cfbe:t" };
  await services.settings.save("general", own);
  await services.settings.save("popup", { list: "vip" });
  assert.equal((await use({ answer: false })).code, 1);
  assert.match((await use({}, "--yes", "--list", "vip=9")).err, /listmonk has no list 9/);
  assert.equal((await use({}, "--yes", "--list", "vip")).code, 2);
  assert.equal(services.settings.current().general.provider, "sandbox");

  const { code, out } = await use({}, "--yes", "--list", "vip=4");
  assert.deepEqual([code, out], [0, "New signups go to listmonk from now on."]);
  const { general, popup } = services.settings.current();
  assert.deepEqual([general.provider, general.defaultList, popup.list], ["listmonk", "3", "4"]);
});

Deno.test("loading the lists of a provider without its key names the key and the command that sets it", async () => {
  await using program = await runningService();
  await program.services.settings.save("general", { provider: "kit" });
  const { code, err } = await cfbe({ env: program.shell }, "lists", "load");
  assert.equal(code, 1);
  assert.match(err, /^Enter .*key first: .*settings set general\.\w+ --stdin`\.$/);
});
