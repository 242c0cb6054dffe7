/** Chapter 8 of the contract, from outside: deactivation, shutdown and a killed process. */
import assert from "node:assert/strict";
import { beginRaw } from "./raw.ts";
import { ANY_IP, anyEmail, anyIp, type Service, statements, until } from "./service.ts";

const STOPS = "stops the program";

const { here } = statements({
  config: `{ settings: { ${ANY_IP} }, filters: { cfbe_signup_site_limit: () => 0 } }`,
});

const arrives = (service: Service, email: string) =>
  until(`the email to ${email}`, async () => (await service.mails(email)).length > 0);

here(
  "while it is deactivated, signups get 503 rejected; after activation, queued ones are delivered",
  STOPS,
  async (service) => {
    const queued = `down+${anyEmail("down.example")}`;
    await service.signUp({ email: queued });
    await service.cfbe("deactivate", "--yes");
    const { status, headers, json } = await service.signUp({ email: anyEmail() });
    assert.deepEqual([status, json.success, json.code], [503, false, "rejected"]);
    assert.deepEqual(Object.keys(json), ["success", "code", "message"]);
    assert.equal(headers.get("retry-after"), null);
    // What is dropped looks the same as ever, and so do the other routes.
    const dropped = await service.call("subscribe", { ip: anyIp(), json: { source: "popup" } });
    assert.deepEqual([dropped.status, dropped.json.code], [200, "pending"]);
    assert.equal((await service.call("form-token")).status, 200);
    const { record } = await service.stored(queued);
    assert.equal(record.status, "queued");

    await service.cfbe("activate");
    const email = anyEmail();
    assert.equal((await service.signUp({ email })).status, 200);
    await arrives(service, email);
  },
);

here(
  "on SIGTERM, signups in progress get their response and are stored, and it exits with 0 in time",
  STOPS,
  async (service) => {
    const cfbe_token = await service.token();
    const emails = [anyEmail(), anyEmail(), anyEmail()];
    const { program } = service;
    const begun = await Promise.all(emails.map(async (email) => {
      const body = JSON.stringify({ source: "popup", email, cfbe_token });
      const head = ["POST /wp-json/cfbe/v1/subscribe HTTP/1.1", `X-Real-IP: ${anyIp()}`];
      const send = await beginRaw(program.port, [...head, `Content-Length: ${body.length}`]);
      return () => send(body);
    }));
    const started = Date.now();
    const stopped = program.stop("SIGTERM");
    const answers = await Promise.all(begun.map((send) => send()));
    assert.equal(await stopped, 0);
    assert.ok(Date.now() - started < 10_000);
    for (const { status } of answers) assert.equal(status, 200);
    await service.program.restart();
    for (const email of emails) await arrives(service, email);
  },
);

here(
  "after SIGKILL, no signup that was acknowledged is lost, and none gets two emails",
  STOPS,
  async (service) => {
    const emails = Array.from({ length: 10 }, () => anyEmail());
    const answers = await Promise.all(emails.map((email) => service.signUp({ email })));
    await service.program.stop("SIGKILL");
    for (const { status } of answers) assert.equal(status, 200);
    await service.program.restart();
    for (const email of emails) {
      await arrives(service, email);
      assert.equal((await service.mails(email)).length, 1);
    }
    // The salt is kept, so a token of before is still valid, and so are the limits.
    assert.equal((await service.signUp({ email: emails[0]! })).status, 200);
  },
);
