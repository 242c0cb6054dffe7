/**
 * Moves the database of the real program while people sign up, and kills the program and the command. `CFBE_TEST_MOVE_SIGNUPS`
 * is the number of signups that the database has before, 2,000 by default.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { postgresPrograms, startPostgres } from "../../dev/testing/postgres_server.ts";
import { seededRandom } from "../../dev/testing/seeded_random.ts";
import { freePort } from "../../dev/free_port.ts";
import { Checksum, hashOf, rowsOf } from "../../server/operations/move/rows.ts";
import { issueToken } from "../../server/platform/keys/form_token.ts";
import { createKeyring } from "../../server/platform/keys/keyring.ts";
import { keys } from "../../server/platform/kv/keys.ts";
import { openKv } from "../../server/platform/kv/open.ts";
import type { MailRow } from "../../server/sandbox/account/rows.ts";
import type { SignupRecord } from "../../server/signup/record/row.ts";
import { insertSampleSignups } from "../../server/subscribers/testing/insert_signups.ts";
import { NAMESPACE } from "../../shared/contract.ts";
import { startServer } from "../crash/program_process.ts";
import { API_TOKEN } from "../program.ts";
import { NO_SITE_LIMIT, visitor } from "../two_processes.ts";

const SIGNUPS = Number(Deno.env.get("CFBE_TEST_MOVE_SIGNUPS") ?? 2_000);
const KILLS = Number(Deno.env.get("CFBE_TEST_MOVE_KILLS") ?? 5);
const MOST_WAIT_MS = 5_000;
const SALT = "a salt for tests, long enough to be one";
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const programs = postgresPrograms();
const keyring = createKeyring([SALT]);

type Env = Record<string, string> & { PORT: string; CFBE_KV: string };

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** People who sign up one after the other, each again until they are accepted. */
function signUpAlways({ PORT }: Env) {
  const cfbe_token = issueToken(keyring, Date.now() - 10_000);
  const running: Promise<void>[] = [];
  const accepted: string[] = [];
  /** How long those waited whose only errors were answers that ask for a retry, in milliseconds. */
  let waits: number[] = [];
  const over = new AbortController();
  let count = 0;

  async function signUp(n: number): Promise<void> {
    const { email, ip } = visitor(n);
    const begun = performance.now();
    let onlyAsked = true;
    for (let tries = 0; tries < 120; tries++) {
      try {
        const response = await fetch(`http://127.0.0.1:${PORT}${NAMESPACE}/subscribe`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-real-ip": ip },
          body: JSON.stringify({ source: "shortcode", email, cfbe_token }),
        });
        const text = await response.text();
        if (response.status === 200) {
          accepted.push(email);
          if (tries > 0 && onlyAsked) waits.push(performance.now() - begun);
          return;
        }
        assert.equal(`${response.status} ${response.headers.get("retry-after")}`, "503 1", text);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        onlyAsked = false;
      }
      await sleep(1_000);
    }
    throw new Error(`${email} was never accepted`);
  }
  const arriving = (async () => {
    while (!over.signal.aborted) {
      running.push(signUp(count++));
      await sleep(100);
    }
  })();
  return {
    accepted,
    /** Returns the waits since the last call. */
    takeWaits: () => {
      const taken = waits;
      waits = [];
      return taken;
    },
    async end() {
      over.abort();
      await arriving;
      await Promise.all(running);
    },
  };
}

interface Moved {
  rows: number;
  checksum: string;
  closedMs: number;
}

function command(env: Env, to: string): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "--no-check", "--node-modules-dir=manual", "server/cli/main.ts"],
      ...["database", "move", "--yes", "--json", "--to", to],
    ],
    cwd: ROOT,
    env,
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/**
 * Moves the database. Kills the command or the server several times meanwhile, and runs the command again.
 *
 * @returns what the command reports, undefined if the last kill was after the move; and the server
 */
async function move(env: Env, to: string, server: ReturnType<typeof startServer>, random: () => number) {
  for (let kills = 0;; kills++) {
    const child = command(env, to);
    const ended = child.output();
    if (kills < KILLS) {
      await Promise.race([ended, sleep(300 + random() * 1_500)]);
      if (random() < 0.5) {
        server.signal("SIGKILL");
        await server.ended;
        await ended;
        server = startServer(env);
        const isReady = await server.ready().then(() => true, () => false);
        if (!isReady) {
          assert.match(server.lines().join("\n"), /has moved to .* Set CFBE_KV to it/);
          return { server, moved: undefined };
        }
      } else {
        try {
          child.kill("SIGKILL");
        } catch {
          // It has ended.
        }
      }
    }
    const { success, stdout, stderr } = await ended;
    const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    if (success) return { server, moved: JSON.parse(out!) as Moved };
    if (kills >= KILLS) assert.match(err!, /running already/, err);
    await sleep(200);
  }
}

async function checksumOf(address: string): Promise<string> {
  const { raw, close } = await openKv(address);
  const sum = new Checksum();
  for await (const { name, value } of rowsOf(raw, { rest: () => Promise.resolve() })) {
    sum.add(hashOf(name, value));
  }
  await close();
  return `${sum}`;
}

Deno.test(
  `a database with ${SIGNUPS} signups is moved to PostgreSQL and back to a file while people sign up, killed ${
    2 * KILLS
  } times: nobody is lost or mailed twice`,
  { ignore: !programs },
  async () => {
    await using stack = new AsyncDisposableStack();
    const postgres = stack.use(await startPostgres(programs!));
    const folder = await Deno.makeTempDir({ prefix: "cfbe-move-" });
    stack.defer(() => Deno.remove(folder, { recursive: true }));
    const config = `${folder}/cfbe.config.ts`;
    const settings = 'settings: { privacy: { ipSource: "x-real-ip" } }';
    await Deno.writeTextFile(config, `export default { ${settings}, filters: { ${NO_SITE_LIMIT} } };`);
    const [first, last] = [`${folder}/first.kv`, `${folder}/last.kv`];
    const port = String(freePort());
    let env: Env = {
      PORT: port,
      CFBE_BASE_URL: `http://127.0.0.1:${port}`,
      CFBE_KV: first,
      CFBE_SALT: SALT,
      CFBE_API_TOKEN: API_TOKEN,
      CFBE_CONFIG: config,
      NO_COLOR: "1",
    };
    const filled = await openKv(first);
    await insertSampleSignups(filled.kv, { count: SIGNUPS, days: 100, end: Date.now() });
    await filled.close();

    let server = startServer(env);
    stack.defer(() => server[Symbol.asyncDispose]());
    await server.ready();
    const visitors = signUpAlways(env);
    const seed = Date.now() % 100_000;
    const random = seededRandom(seed);
    console.log(`    seed ${seed}`);
    for (const to of [postgres.address, last]) {
      const from = env.CFBE_KV;
      visitors.takeWaits();
      const begun = performance.now();
      const result = await move(env, to, server, random.float);
      server = result.server;
      const seconds = (performance.now() - begun) / 1_000;
      await sleep(3_000);
      const { moved } = result;
      const waits = visitors.takeWaits();
      if (moved === undefined) console.log("    the server was killed after the move");
      if (moved?.closedMs !== undefined) {
        assert.ok(moved.closedMs < MOST_WAIT_MS, `closed for ${moved.closedMs} ms`);
        assert.ok(waits.every((ms) => ms < MOST_WAIT_MS), `${waits}`);
        console.log(
          `    ${moved.rows} rows in ${seconds.toFixed(1)} s with all kills; closed for ${
            Math.round(moved.closedMs)
          } ms, ` +
            `${waits.length} visitors waited, at most ${Math.round(Math.max(0, ...waits))} ms`,
        );
      }
      server.signal("SIGTERM");
      await server.ended;
      if (moved?.checksum !== undefined) assert.equal(await checksumOf(from), moved.checksum);
      const old = startServer(env);
      await old.ended;
      assert.match(old.lines().join("\n"), /The data of this database has moved to .* Set CFBE_KV to it\./);
      env = { ...env, CFBE_KV: to };
      server = startServer(env);
      await server.ready();
    }
    await visitors.end();

    // The server has the file open, so each look at the emails needs its end.
    let sent: string[] = [];
    for (let looks = 0; looks < 12 && sent.length < visitors.accepted.length; looks++) {
      await sleep(15_000);
      server.signal("SIGTERM");
      await server.ended;
      const { kv, close } = await openKv(last);
      const mails = kv.list<MailRow>({ prefix: keys.sandboxMails() });
      sent = await Array.fromAsync(mails, ({ value }) => value.to);
      await close();
      server = startServer(env);
      await server.ready();
    }
    server.signal("SIGTERM");
    await server.ended;
    const { kv, close } = await openKv(last);
    const stored = new Set<string>();
    const unsent: unknown[] = [];
    for await (const { key, value } of kv.list<SignupRecord>({ prefix: keys.family("signup") })) {
      stored.add(String(key[3]));
      if (visitors.accepted.includes(String(key[3])) && !sent.includes(String(key[3]))) {
        unsent.push(value.status);
      }
    }
    for await (const { value } of kv.list({ prefix: keys.family("job") })) {
      if (unsent.length > 0) unsent.push(value);
    }
    await close();
    console.log(`    ${visitors.accepted.length} visitors were accepted, ${sent.length} emails were sent`);
    assert.deepEqual(visitors.accepted.filter((email) => !stored.has(email)), []);
    assert.deepEqual(unsent, [], "everybody is mailed");
    assert.deepEqual(sent.toSorted(), [...new Set(visitors.accepted)].toSorted());
  },
);
