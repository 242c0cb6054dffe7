import assert from "node:assert/strict";
import { mailboxOf } from "../../../shared/mailbox.ts";
import { type Harness, harness } from "../../../dev/testing/harness.ts";
import { forgetLimits, testersLimits } from "./forget.ts";
import { spend } from "./spend.ts";

const IP = "192.0.2.1";
const EMAIL = "ada@example.com";

/** Returns the status of a signup. */
async function signUp(app: Harness, email: string, peer = IP): Promise<number> {
  const response = await app.post({ email }, { peer });
  await response.body?.cancel();
  return response.status;
}

const forget = (app: Harness, ip?: string, email?: string) =>
  forgetLimits(
    app.services,
    testersLimits(app.services.policies, { ip, mailbox: email && mailboxOf(email) })
      .map(({ policy }) => policy),
  );

Deno.test("after the limits of an IP and a mailbox are forgotten, exactly as many requests are accepted as before, and all other limits stay", async () => {
  await using app = await harness();
  const { services } = app;
  const accepted = async (emailOf: (i: number) => string, peerOf: (i: number) => string) => {
    let count = 0;
    while (await signUp(app, emailOf(count), peerOf(count)) === 200) count++;
    return count;
  };
  const ofIp = () => accepted((i) => `p${i}-${services.random.uuid()}@example.com`, () => IP);
  const ofMailbox = () => accepted((i) => `ada+${i}@example.com`, (i) => `198.51.100.${i}`);
  const mails = services.policies.confirmationMails(mailboxOf(EMAIL));
  const login = services.policies.loginIp(IP);
  for (const policy of [mails, login]) await spend(services, policy);
  const others = async () => [
    (await app.kv.get(mails.key)).value,
    (await app.kv.get(login.key)).value,
    (await app.kv.get(services.policies.site(30, ["a", "a"])!.key)).value,
    (await app.kv.get(services.policies.ip("198.51.100.0").key)).value,
  ];
  assert.deepEqual([await ofIp(), await ofMailbox()], [5, 3]);
  const before = await others();
  assert.ok(before.every((row) => row !== null));
  assert.deepEqual(await forget(app, IP, EMAIL), [5, 0, 0, 0, 3, 0]);
  assert.deepEqual(await others(), before);
  assert.deepEqual([await ofIp(), await ofMailbox()], [5, 3]);
});

Deno.test("signups that race with forgetting are admitted exactly up to the limit", async () => {
  await using app = await harness();
  const race = Array.from({ length: 20 }, (_, i) => signUp(app, `p${i}@example.com`));
  race.splice(10, 0, forget(app, IP).then(() => 0));
  await Promise.all(race);
  const { value } = await app.kv.get<{ times: number[] }>(app.services.policies.ip(IP).key);
  let free = 5 - (value?.times.length ?? 0);
  assert.ok(free >= 0);
  for (; free > 0; free--) assert.equal(await signUp(app, `q${free}@example.com`), 200);
  assert.equal(await signUp(app, "last@example.com"), 429);
});
