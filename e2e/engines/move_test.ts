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
import { DELIVER_JOB } from "../../server/signup/delivery/job.ts";
import { linesOf } from "../../dev/bench/lines.ts";
import type { MoveLine } from "../../server/operations/remote/move_routes.ts";
import type { SignupStatus } from "../../server/operations/remote/signup_status.ts";
import { startServer } from "../crash/program_process.ts";
import { API_TOKEN } from "../program.ts";
import { startRemoteKv } from "../deploy/remote_kv.ts";
import { denokv } from "../deploy/tools.ts";
import { NO_SITE_LIMIT, visitor } from "../two_processes.ts";
import { testSize } from "../../dev/testing/test_size.ts";

const SIGNUPS = testSize("CFBE_TEST_MOVE_SIGNUPS", 2_000);
const KILLS = testSize("CFBE_TEST_MOVE_KILLS", 5);
/** A job that failed four times waits for up to four minutes, and for the lease of a killed process before. */
const SETTLED_WITHIN_MS = 900_000;
const SALT = "a salt for tests, long enough to be one";
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const programs = postgresPrograms();
const hasDenokv = await Deno.stat(denokv).then(() => true, () => false);
if (!hasDenokv) console.error("denokv is not installed: deno run -A e2e/deploy/bring_tools.ts");
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
 * Resolves when no signup waits for its delivery. A job whose process was killed several times waits for minutes.
 */
async function settled({ PORT }: Env, accepted: readonly string[]): Promise<void> {
  const end = performance.now() + SETTLED_WITHIN_MS;
  const base = `http://127.0.0.1:${PORT}`;
  let waiting: readonly string[] = accepted;
  for (;;) {
    const left: SignupStatus[] = [];
    for (const email of waiting) {
      const response = await fetch(`${base}/ops/status`, {
        method: "POST",
        headers: { authorization: `Bearer ${API_TOKEN}` },
        body: JSON.stringify({ email }),
      });
      const found: SignupStatus[] = await response.json();
      left.push(
        ...found.filter(({ record, jobs }) =>
          record.status === "queued" || jobs.some(({ name }) => name === DELIVER_JOB)
        ),
      );
    }
    if (left.length === 0) return;
    waiting = left.map(({ record }) => record.email);
    if (performance.now() > end) {
      throw new Error(
        `${left.length} signups are not delivered:\n${
          left.slice(0, 5).map((one) => JSON.stringify(one)).join("\n")
        }`,
      );
    }
    await sleep(1_000);
  }
}

/** A moment of a move at which something is killed, and what. */
interface Kill {
  step: "copied" | "copied again" | "compared" | "closed";
  /** How much of this step is done, from 0 to 1. */
  part: number;
  /** So long afterwards, in milliseconds. */
  laterMs: number;
  /** The command alone, which interrupts the move, or the server in which it runs. */
  what: "command" | "server";
}

/**
 * Returns kills at every step: while rows are copied, compared and copied again, and while the database is closed. After
 * these, only steps that take long, so that the move is not over when one comes.
 */
function planKills(count: number, random: () => number): Kill[] {
  const steps = ["copied", "copied", "copied again", "compared", "closed"] as const;
  return Array.from({ length: count }, (_, n) => {
    const step = steps[n] ?? (["copied", "compared"] as const)[n % 2]!;
    return {
      step,
      part: step === "copied" || step === "compared" ? random() : 0,
      // The database is closed for about so long.
      laterMs: step === "closed" ? random() * 80 : 0,
      what: n % 2 === 0 ? "server" : "command",
    };
  });
}

/** Begins the move as the command does, and calls `reached` once at the moment of the kill. Resolves when the move ends. */
async function moveUntil({ PORT }: Env, to: string, kill: Kill, reached: () => void, signal: AbortSignal) {
  const response = await fetch(`http://127.0.0.1:${PORT}/ops/move-database`, {
    method: "POST",
    headers: { authorization: `Bearer ${API_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ to }),
    signal,
  });
  let isCompared = false;
  for await (const text of linesOf(response.body!)) {
    const line: MoveLine = JSON.parse(text);
    if (!("step" in line)) return;
    isCompared ||= line.step === "compared";
    const step = isCompared && line.step === "copied again" ? "closed" : line.step;
    if (step !== kill.step || line.rows < kill.part * (line.of ?? 0)) continue;
    await sleep(kill.laterMs);
    reached();
  }
}

/**
 * Moves the database. Kills the command or the server several times meanwhile, and at last runs the command.
 *
 * @returns what the command reports, undefined if the last kill was after the move; and the server
 */
async function move(env: Env, to: string, server: ReturnType<typeof startServer>, random: () => number) {
  const done: string[] = [];
  for (const kill of planKills(KILLS, random)) {
    const ended = new AbortController();
    const reached = Promise.withResolvers<void>();
    const moving = moveUntil(env, to, kill, reached.resolve, ended.signal).catch(() => {});
    await Promise.race([moving, reached.promise]);
    done.push(`${kill.what} at ${kill.step} ${Math.round(100 * kill.part)} %`);
    if (kill.what === "server") {
      server.signal("SIGKILL");
      await server.ended;
      server = startServer(env);
      const isReady = await server.ready().then(() => true, () => false);
      if (!isReady) {
        assert.match(server.lines().join("\n"), /has moved to .* Set CFBE_KV to it/);
        console.log(`    killed: ${done.join(", ")}; the last kill was after the move`);
        return { server, moved: undefined };
      }
    }
    ended.abort();
    await moving;
  }
  console.log(`    killed: ${done.join(", ")}`);
  for (;;) {
    const { success, stdout, stderr } = await command(env, to).output();
    const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    if (success) return { server, moved: JSON.parse(out!) as Moved };
    // The interrupted move ends at its next page of rows.
    assert.match(err!, /running already/, err);
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
  `a database with ${SIGNUPS} signups is moved from a file to ${
    hasDenokv ? "PostgreSQL, denokv" : "PostgreSQL"
  } and another file while people sign up, killed ${KILLS} times each: nobody is lost or mailed twice`,
  { ignore: !programs },
  async () => {
    await using stack = new AsyncDisposableStack();
    const postgres = stack.use(await startPostgres(programs!));
    const remote = hasDenokv ? stack.use(await startRemoteKv()) : undefined;
    if (remote) Deno.env.set("DENO_KV_ACCESS_TOKEN", remote.env.DENO_KV_ACCESS_TOKEN);
    stack.defer(() => Deno.env.delete("DENO_KV_ACCESS_TOKEN"));
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
      ...(remote && { DENO_KV_ACCESS_TOKEN: remote.env.DENO_KV_ACCESS_TOKEN }),
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
    for (const to of [postgres.address, ...remote ? [remote.env.DENO_KV_DEFAULT_PATH] : [], last]) {
      const from = env.CFBE_KV;
      visitors.takeWaits();
      const begun = performance.now();
      const result = await move(env, to, server, random.float);
      server = result.server;
      const seconds = (performance.now() - begun) / 1_000;
      await sleep(3_000);
      const { moved } = result;
      const waits = visitors.takeWaits();
      const waited = `${waits.length} visitors waited, at most ${Math.round(Math.max(0, ...waits))} ms`;
      if (moved?.closedMs === undefined) console.log(`    the server was killed after the move; ${waited}`);
      else {
        const all = `${moved.rows} rows in ${seconds.toFixed(1)} s with all kills`;
        console.log(`    ${all}; closed for ${Math.round(moved.closedMs)} ms, ${waited}`);
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

    await settled(env, visitors.accepted);
    server.signal("SIGTERM");
    await server.ended;
    const { kv, close } = await openKv(last);
    const sent = await Array.fromAsync(
      kv.list<MailRow>({ prefix: keys.sandboxMails() }),
      ({ value }) => value.to,
    );
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
