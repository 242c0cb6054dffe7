/** Chapters 2, 14 and 15 of the contract, from outside: what start, command line and admin give away, and to whom. */
import assert from "node:assert/strict";
import { failToStart } from "./program.ts";
import { ANY_IP, anyEmail, statements, until } from "./service.ts";

const API_KEY = "a-key-that-no-page-shows-in-full";

const { anywhere, here } = statements({
  config:
    `{ settings: { ${ANY_IP}, form: { nameField: "required" }, general: { mailerliteApiKey: "${API_KEY}" } } }`,
});

here(
  "with an invalid configuration, it exits with 1 and one message that lists every problem and no secret",
  "needs its own settings",
  async () => {
    const secret = "a-salt-that-is-short";
    const { code, stdout, stderr } = await failToStart({
      CFBE_SALT: secret,
      CFBE_PROVIDER: "tea",
      CFBE_BASE_URL: "not a URL",
      CFBE_UNKNOWN: "1",
    });
    assert.equal(code, 1);
    const output = stdout + stderr;
    for (const name of ["CFBE_SALT", "CFBE_PROVIDER", "CFBE_BASE_URL", "CFBE_UNKNOWN"]) {
      assert.ok(
        output.includes(name),
        output,
      );
    }
    assert.ok(!output.includes(secret), output);
    assert.ok(!/\n\s+at /.test(output), output);
  },
);

here(
  "the salt, the API token and the database are in files that only their owner can read",
  "needs its secrets",
  async ({ program }) => {
    for (const file of ["cfbe.kv.salt", "cfbe.kv.token", "cfbe.kv"]) {
      const { mode } = await Deno.stat(`${program.folder}/${file}`);
      assert.equal(mode! & 0o777, 0o600, file);
    }
  },
);

here(
  "a setting of the config file comes before one that is saved, and the command line refuses to save it",
  "needs the command line",
  async (service) => {
    const { code, stderr } = await service.program.cfbe("settings", "set", "form.nameField", "hidden");
    assert.notEqual(code, 0);
    assert.match(stderr, /config/);
    const settings = await service.cfbe("settings", "get");
    assert.equal(JSON.parse(settings).form.nameField, "required");
    assert.ok(!settings.includes(API_KEY));
    assert.ok(!(await service.program.log()).includes(API_KEY));
  },
);

anywhere("no page of the admin opens without a session", async (service) => {
  for (
    const page of [
      "/overview",
      "/subscribers",
      "/settings",
      "/jobs",
      "/privacy",
      "/users",
      "/audit",
      "/forms",
    ]
  ) {
    const { status, headers } = await service.visit(`/admin${page}`);
    assert.ok(status >= 300 && status < 500, `${page}: ${status}`);
    if (status < 400) assert.match(headers.get("location")!, /\/admin\/(sign-in|set-up)/, page);
  }
});

anywhere("no action of the admin is done without a session", async (service) => {
  for (const action of ["cfbe_poll", "cfbe_unknown"]) {
    for (
      const call of [{ json: { action } }, {
        body: `action=${action}`,
        headers: { "content-type": "application/x-www-form-urlencoded" },
      }]
    ) {
      const { status, headers } = await service.visit(`/admin/ajax?action=${action}`, call);
      const refused = [401, 403].includes(status) ||
        status === 303 && /sign-in|set-up/.test(headers.get("location")!);
      assert.ok(refused, `${action}: ${status}`);
    }
  }
  assert.equal((await service.visit("/readyz")).status, 200);
});

anywhere("the command line's routes need the API token", async (service) => {
  for (const path of ["status", "poll", "doctor", "nothing"]) {
    for (
      const headers of [{}, { authorization: "Bearer wrong" }, { authorization: "Bearer " }] as Record<
        string,
        string
      >[]
    ) {
      const { status, headers: sent } = await service.visit(`/ops/${path}`, { method: "POST", headers });
      assert.ok([401, 404].includes(status), `${path}: ${status}`);
      assert.equal(sent.get("cache-control"), "no-store");
    }
  }
});

here("the commands `poll` and `status` run with the service", "needs the command line", async (service) => {
  const email = anyEmail();
  await service.signUp({ email, name: "Ann" });
  await until("the email", async () => (await service.mails(email)).length > 0);
  const [{ record }] = JSON.parse(await service.cfbe("status", email, "--json"));
  assert.equal(record.email, email);
  const { code } = await service.program.cfbe("status", anyEmail(), "--json");
  assert.equal(code, 3);
  assert.equal(typeof JSON.parse(await service.cfbe("poll", "--json")).calls, "number");
});

here(
  "an erased address is in no answer, export or mail any more, and the log never had it",
  "needs the command line",
  async (service) => {
    const email = anyEmail();
    await service.signUp({ email, name: "Ann" });
    await until("the email", async () => (await service.mails(email)).length > 0);
    assert.ok((await service.cfbe("export", email)).includes(email));
    await service.cfbe("erase", email, "--provider", "--yes");
    assert.deepEqual(await service.status(email), []);
    await until("it is erased at the provider", async () => (await service.mails(email)).length === 0);
    assert.ok(!(await service.program.log()).includes(email));
  },
);
