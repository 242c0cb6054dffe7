import assert from "node:assert/strict";
import { aroundCommits } from "../../../dev/testing/around_commits.ts";
import type { KeyVersion, ListedKeys } from "../../operations/keys/key_versions.ts";
import { ORDERS } from "../../operations/keys/reseal_orders_job.ts";
import { signFormConfig } from "../../forms/public/signed_config.ts";
import { issueToken, tokenFault } from "../../platform/keys/form_token.ts";
import { seal } from "../../platform/keys/seal.ts";
import { type OpenedKv, openKv } from "../../platform/kv/open.ts";
import { keys as rows } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { wrap } from "../../platform/kv/wrap.ts";
import { bootstrap } from "../../program/bootstrap.ts";
import type { Program } from "../../program/program.ts";
import { readLink, signLink } from "../../shops/carts/links.ts";
import { createMarkers } from "../../shops/mail/markers.ts";
import { ownerKey, type OwnerRow } from "../../shops/orders/ledger.ts";
import { readFormConfig } from "../../forms/public/signed_config.ts";
import { cfbe as command, TOKEN, withFolder } from "../testing/cli.ts";
import { startProgram } from "../../../dev/testing/program.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { typed } from "../../platform/kv/key.ts";
import { cas } from "../../platform/kv/cas.ts";

const SALT = "a salt without a comma that is long enough";
const HOUR_MS = 60 * 60 * 1000;
const quiet = { write: () => {} };

/** Runs a command with the salt in a file. */
const cfbe = (env: Record<string, string>, ...args: string[]) =>
  command({ env: { CFBE_SALT: "", ...env } }, ...args);

async function listed(env: Record<string, string>): Promise<ListedKeys> {
  const { out, err } = await cfbe(env, "keys", "list", "--json");
  assert.doesNotMatch(err, /Error/);
  return JSON.parse(out);
}

const ORDER = "an order";

/** What a program has signed, encrypted and named. */
async function leaveTraces({ services }: Program) {
  const { keyring, settings, kv, random } = services;
  const markers = createMarkers(keyring);
  await settings.save("webhooks", { secret: "a-webhook-secret" });
  await settings.save("checkout", { secret: "a-shop-secret-of-16" });
  const owner: OwnerRow = {
    v: 1,
    person: markers.person("ann@example.com"),
    sealed: await seal(keyring, random, "ann@example.com"),
  };
  await kv.set(ownerKey(ORDER), owner);
  return {
    stop: signLink(keyring, "cfbe/cart-stop", markers.mailbox("ann@example.com")),
    cfg: signFormConfig(keyring, { list: "list-2" }),
    names: namesOf(services),
  };
}

/** What tells who has opted out, got a coupon, and was limited. */
function namesOf({ keyring }: Pick<Program["services"], "keyring">): string[] {
  const markers = createMarkers(keyring);
  return [
    markers.mailbox("ann@example.com"),
    markers.person("ann@example.com"),
    markers.order("17"),
    keyring.identify("cfbe/coupon", "ann@example.com hello"),
    keyring.identify("cfbe/subject", "192.0.2.1"),
  ];
}

function checkTraces(program: Program, traces: Awaited<ReturnType<typeof leaveTraces>>) {
  const { keyring, settings } = program.services;
  const { webhooks, checkout } = settings.current();
  assert.deepEqual([webhooks.secret, checkout.secret], ["a-webhook-secret", "a-shop-secret-of-16"]);
  assert.equal(readLink(keyring, "cfbe/cart-stop", traces.stop), traces.names[0]);
  assert.equal(readFormConfig(keyring, traces.cfg)?.list, "list-2");
  assert.deepEqual(namesOf(program.services), traces.names);
}

Deno.test("a rotation while forms are open, secrets encrypted, and opt-outs and coupons marked loses and doubles nothing", () =>
  withFolder(async (shell) => {
    const clock = new ManualClock();
    const env = { CFBE_KV: shell.CFBE_KV!, CFBE_SALT: "", CFBE_API_TOKEN: TOKEN };
    let cli: Record<string, string>;
    let traces: Awaited<ReturnType<typeof leaveTraces>>;
    let first: string;
    {
      await using program = await startProgram({ env, clock, run: false });
      cli = { CFBE_KV: shell.CFBE_KV!, PORT: new URL(program.baseUrl).port };
      traces = await leaveTraces(program);
      const open = program.token();
      first = (await listed(cli)).versions[0]!.id;
      const rotated = await cfbe(cli, "keys", "rotate");
      assert.match(
        rotated.out,
        /^The keys have been rotated: [0-9a-f]{10} signs and encrypts from now on/,
        rotated.err,
      );
      checkTraces(program, traces);
      const { keyring } = program.services;
      assert.equal(tokenFault(keyring, open, clock.now() + 2 * HOUR_MS - 10_000), undefined);
      assert.equal(tokenFault(keyring, open, clock.now() + 2 * HOUR_MS - 9_999), "token_old");
      const signup = await program.subscribe({ email: "ann@example.com", cfbe_token: open });
      assert.equal(signup.status, 200, await signup.text());
      const now = await listed(cli);
      assert.deepEqual(now.versions.map(({ state, isIdentity }) => [state, isIdentity]), [
        ["current", false],
        ["previous", true],
      ]);
      assert.equal(now.open.find(({ what }) => what === "form tokens")?.until, clock.now() + 2 * HOUR_MS);
      assert.deepEqual(now.versions[1]!.needs, [{ what: ORDERS, count: 1 }]);
      const early = await cfbe(cli, "keys", "revoke", first, "--yes");
      assert.deepEqual([
        early.code,
        /decrypts addresses of orders\. .* again in a few minutes/.test(early.err),
      ], [1, true]);
      program.runner.start();
      await program.tick();
      await program.runner.idle();
      assert.deepEqual((await listed(cli)).versions[1]!.needs, []);
    }
    await using program = await startProgram({ env, clock, run: false });
    cli.PORT = new URL(program.baseUrl).port;
    checkTraces(program, traces);
    const open = program.services.keyring.sign("cfbe/form-token", String(clock.now() - 10_000));
    const revoked = await cfbe(cli, "keys", "revoke", first, "--yes");
    assert.match(revoked.out, /has been revoked/, revoked.err);
    const { keyring, settings } = program.services;
    assert.equal(readFormConfig(keyring, traces.cfg), undefined);
    assert.equal(readLink(keyring, "cfbe/cart-stop", traces.stop), undefined);
    assert.deepEqual(namesOf(program.services), traces.names);
    assert.equal(settings.current().webhooks.secret, "a-webhook-secret");
    assert.ok(keyring.verify("cfbe/form-token", String(clock.now() - 10_000), open));
    const after = await listed(cli);
    assert.deepEqual(after.versions.map(({ state }) => state), ["current", "revoked"]);
    assert.deepEqual(after.open, []);
    assert.equal((await cfbe(cli, "keys", "revoke", first, "--yes")).code, 3);
    const current = await cfbe(cli, "keys", "revoke", after.versions[0]!.id, "--yes");
    assert.match(current.err, /is the current one\. Rotate the keys first/);
  }));

Deno.test("a form token that was accepted before is refused once its key is revoked", () =>
  withFolder(async (shell) => {
    const program = await bootstrap({ ...shell, CFBE_SALT: "" }, quiet);
    const { keyring, keyVersions, clock } = program.services;
    const token = issueToken(keyring, clock.now() - 10_000);
    const [{ id }] = (await keyVersions.list()).versions as [KeyVersion];
    await keyVersions.rotate(id);
    assert.equal(tokenFault(keyring, token, clock.now()), undefined);
    await keyVersions.revoke(id);
    assert.equal(tokenFault(keyring, token, clock.now()), "token_wrong");
    await program.close(0);
  }));

/** Opens a database that fails from the nth write on, as if the process had died there. */
async function dyingAfter(writes: { left: number }, address: string | undefined): Promise<OpenedKv> {
  const opened = await openKv(address);
  const spend = () => {
    if (writes.left-- <= 0) throw new Error("the process has died");
  };
  const spending = aroundCommits(opened.kv, async (commit) => (spend(), await commit()));
  const kv = wrap(spending, {
    set: async (...args: Parameters<Kv["set"]>) => (spend(), await opened.kv.set(...args)),
    delete: async (...args: Parameters<Kv["delete"]>) => (spend(), await opened.kv.delete(...args)),
  });
  return { ...opened, kv };
}

Deno.test("a rotation that is killed between any two steps is complete after the next start, or never was", () =>
  withFolder(async (shell) => {
    let survived = false;
    for (let steps = 0; !survived; steps++) {
      assert.ok(steps < 20);
      const env = { ...shell, CFBE_KV: `${shell.CFBE_KV}.${steps}`, CFBE_SALT: "" };
      const writes = { left: Infinity };
      const dying = await bootstrap(env, { ...quiet, open: (address) => dyingAfter(writes, address) });
      const traces = await leaveTraces(dying);
      const [{ id }] = (await dying.services.keyVersions.list()).versions as [KeyVersion];
      writes.left = steps;
      survived = await dying.services.keyVersions.rotate(id).then(() => true, () => false);
      // Until it ends, it still knows what it has encrypted.
      await dying.services.settings.refresh();
      checkTraces(dying, traces);
      await dying.close(0).catch(() => {});

      const next = await bootstrap(env, quiet);
      checkTraces(next, traces);
      const { versions } = await next.services.keyVersions.list();
      assert.equal(versions.at(-1)!.id, id);
      assert.ok(versions.length === 2 && versions[0]!.state === "current");
      // The command is repeated, as after a lost response.
      await assert.rejects(next.services.keyVersions.rotate(id), /is .* already/);
      await next.close(0);
    }
  }));

Deno.test("a rotation whose process dies before it replaces the file changes nothing", () =>
  withFolder(async (shell, folder) => {
    const env = { ...shell, CFBE_SALT: "" };
    const first = await bootstrap(env, quiet);
    const traces = await leaveTraces(first);
    await first.close(0);
    await Deno.writeTextFile(`${folder}/.salt-of-a-killed-process`, '{"v":1,"salts":["half');
    const next = await bootstrap(env, quiet);
    checkTraces(next, traces);
    assert.equal((await next.services.keyVersions.list()).versions.length, 1);
    await next.close(0);
  }));

Deno.test("two rotations at the same time make one new key", () =>
  withFolder(async (shell) => {
    const program = await bootstrap({ ...shell, CFBE_SALT: "" }, quiet);
    const { keyVersions } = program.services;
    const [{ id }] = (await keyVersions.list()).versions as [KeyVersion];
    const ends = await Promise.allSettled([keyVersions.rotate(id), keyVersions.rotate(id)]);
    assert.deepEqual(ends.map(({ status }) => status), ["fulfilled", "rejected"]);
    assert.equal((await keyVersions.list()).versions.length, 2);
    await program.close(0);
  }));

Deno.test("with the salt in a variable, rotate and revoke print what to set, and never a salt in use", () =>
  withFolder(async (env) => {
    const variables = { ...env, CFBE_SALT: SALT };
    await (await bootstrap(variables, quiet)).close(0);
    const rotated = await command({ env: variables }, "keys", "rotate");
    const [, made] = /^CFBE_SALT=([\w-]{43})\nCFBE_SALT_PREVIOUS=</.exec(rotated.out)!;
    assert.match(rotated.err, /The salt is in the variable CFBE_SALT\. Set these, and restart cfbe:$/);
    const after = { ...env, CFBE_SALT: made!, CFBE_SALT_PREVIOUS: SALT };
    const list = await command({ env: after }, "keys", "list");
    assert.match(
      list.out,
      /^key +since +signing +sealing +identity\n[0-9a-f]{10} +20\S+ \S+ UTC +current +current\n/,
    );
    const [, id] = /\n([0-9a-f]{10}) +20.* previous +previous +yes, never changes\n/.exec(list.out)!;
    assert.ok(!list.out.includes(SALT) && !list.out.includes(made!));
    const revoked = await command({ env: after }, "keys", "revoke", id!, "--yes");
    assert.match(revoked.out, /^CFBE_SALT_PREVIOUS=<.*>\nCFBE_SALT_IDENTITY=<the salt of this key>$/);
    const done = { ...env, CFBE_SALT: made!, CFBE_SALT_IDENTITY: SALT };
    assert.match((await command({ env: done }, "keys", "list")).out, /revoked +revoked +yes, never changes/);
    assert.equal((await command({ env: { ...env, CFBE_SALT: made! } }, "keys", "list")).code, 1);
  }));

Deno.test("a saved secret that no key decrypts stops the start, and the error names the setting", () =>
  withFolder(async (shell) => {
    const env = { ...shell, CFBE_SALT: "" };
    const first = await bootstrap(env, quiet);
    await leaveTraces(first);
    const { kv, clock, random } = first.services;
    await cas(
      kv,
      { row: typed<{ fields: Record<string, unknown> }>(rows.settings("webhooks")) },
      ({ row }) => ({
        value: undefined,
        write: (tx) => {
          const { fields, ...others } = row.value!;
          tx.set(row.key, { ...others, fields: { ...fields, secret: "sealed:1:AAAA" } });
        },
      }),
      { clock, random },
    );
    await first.close(0);
    await assert.rejects(
      bootstrap(env, quiet),
      /The saved secret webhooks\.secret was encrypted with a salt that is not set/,
    );
  }));
