/** Two processes behind a proxy, with the configurations of the documentation, that are restarted one after the other. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { freePort } from "../../dev/free_port.ts";
import { postgresPrograms, startPostgres } from "../../dev/testing/postgres_server.ts";
import { issueToken } from "../../server/platform/keys/form_token.ts";
import { createKeyring } from "../../server/platform/keys/keyring.ts";
import { NAMESPACE } from "../../shared/contract.ts";
import { fetchJsonFrom } from "../../widget/src/loader/fetch_json.ts";
import { connectTo, findCommand, type RunningProcess, startProcess } from "../process.ts";
import { type RunningProgram, runProgram, waitUntil } from "../program.ts";
import { NO_SITE_LIMIT, runTwoProcesses, SALT, visitor } from "../two_processes.ts";
import { mailsIn } from "./mails.ts";

const programs = postgresPrograms();
const VISITORS = 200;
const EVERY_MS = 50;
/** As documented: Caddy asks a process once a second, and gives it two to answer. */
const BETWEEN_MS = 5_000;
const MAILED_WITHIN_MS = 300_000;

interface Setup {
  folder: string;
  port: number;
  /** The configuration of the documentation, for the ports of this test. */
  text: string;
}

interface Proxy {
  command: string;
  /** A file in docs/hosting/. */
  file: string;
  /** What the file contains, and what the test replaces it with. */
  replaced: (port: number) => [before: string, after: string];
  config: (setup: Setup) => string;
  args: (path: string, setup: Setup) => string[];
  /** The settings for it. */
  privacy: string;
}

const PROXIES: Record<string, Proxy> = {
  nginx: {
    command: "nginx",
    file: "nginx-several.conf",
    replaced: (port) => ["listen 443 ssl;", `listen 127.0.0.1:${port};`],
    config: ({ folder, text }) =>
      `${
        Deno.uid() === 0 ? "user root;" : ""
      } daemon off; pid ${folder}/pid; events { worker_connections 512; }
http { access_log off; ${
        ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) =>
          `${name}_temp_path ${folder}/${name};`
        ).join(" ")
      }
${text} }`,
    args: (path, { folder }) => ["-p", folder, "-c", path, "-e", `${folder}/error.log`],
    privacy: '{ ipSource: "x-real-ip" }',
  },
  Caddy: {
    command: "caddy",
    file: "Caddyfile-several",
    replaced: (port) => ["news.example {", `http://127.0.0.1:${port} {`],
    config: ({ text }) => `{\n\tadmin off\n}\n${text}`,
    args: (path) => ["run", "--config", path, "--adapter", "caddyfile"],
    privacy: '{ ipSource: "x-forwarded-for", trustedHops: 1 }',
  },
};

const isInstalled = ({ command }: Proxy) => findCommand(command).then(() => true, () => false);

async function startProxy(
  proxy: Proxy,
  folder: string,
  port: number,
  ports: number[],
): Promise<RunningProcess> {
  let text = await Deno.readTextFile(new URL(`../../docs/hosting/${proxy.file}`, import.meta.url));
  for (
    const [before, after] of [
      proxy.replaced(port),
      ["127.0.0.1:8001", `127.0.0.1:${ports[0]}`],
      ["127.0.0.1:8002", `127.0.0.1:${ports[1]}`],
    ] as const
  ) {
    assert.ok(text.includes(before), before);
    text = text.replace(before, after);
  }
  const setup = { folder, port, text };
  const path = join(folder, "proxy.conf");
  await Deno.writeTextFile(path, proxy.config(setup));
  const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const args = proxy.args(path, setup);
  return await startProcess(await findCommand(proxy.command), { args, env, ready: () => connectTo(port) });
}

/** Sends a signup as the widget does, from an address of its own. Resolves to what the visitor sees. */
async function signUp(base: string, n: number, cfbe_token: string) {
  const { email, ip } = visitor(n);
  const client = Deno.createHttpClient({ localAddress: ip.replace("198.18", "127.18") });
  const init: RequestInit & { client: Deno.HttpClient } = {
    client,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ source: "shortcode", email, cfbe_token }),
  };
  try {
    return await fetchJsonFrom(base)(`${NAMESPACE}/subscribe`, init);
  } finally {
    client.close();
  }
}

for (const [name, proxy] of Object.entries(PROXIES)) {
  Deno.test(
    `behind ${name}, two processes on PostgreSQL are restarted one after the other while ${VISITORS} visitors sign up: each succeeds, and gets one email`,
    {
      ignore: !programs || !await isInstalled(proxy),
    },
    async () => {
      await using stack = new AsyncDisposableStack();
      const server = stack.use(await startPostgres(programs!));
      const folder = await Deno.makeTempDir({ prefix: "cfbe-rolling-" });
      stack.defer(() => Deno.remove(folder, { recursive: true }));
      const config = join(folder, "cfbe.config.ts");
      await Deno.writeTextFile(
        config,
        `export default { settings: { privacy: ${proxy.privacy} }, filters: { ${NO_SITE_LIMIT} } };`,
      );
      const [port, ...ports] = [freePort(), freePort(), freePort()] as const;
      const base = `http://127.0.0.1:${port}`;
      const start = (own: number) =>
        runProgram({
          ...{
            PORT: `${own}`,
            CFBE_BASE_URL: base,
            CFBE_KV: server.address,
            CFBE_CONFIG: config,
            CFBE_SALT: SALT,
          },
        });
      const running: RunningProgram[] = [];
      for (const own of ports) running.push(await start(own));
      stack.defer(async () => {
        for (const program of running) await program[Symbol.asyncDispose]();
      });
      stack.use(await startProxy(proxy, folder, port, [...ports]));

      const attempts: Record<string, number> = {};
      const plainFetch = globalThis.fetch;
      stack.defer(() => void (globalThis.fetch = plainFetch));
      globalThis.fetch = async (input, init) => {
        const response = await plainFetch(input, init);
        if (String(input).startsWith(base)) attempts[response.status] = (attempts[response.status] ?? 0) + 1;
        return response;
      };
      Object.defineProperty(navigator, "onLine", { value: true, configurable: true });

      let restarted = false;
      async function restartAll() {
        await waitUntil("visitors sign up", 60_000, () => Promise.resolve((attempts[200] ?? 0) >= 10));
        for (const [at, own] of ports.entries()) {
          await running[at]![Symbol.asyncDispose]();
          const program = running[at] = await start(own);
          await waitUntil("it is ready", 60_000, async () => {
            const response = await fetch(`${program.baseUrl}/readyz`);
            await response.body?.cancel();
            return response.ok;
          });
          await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
        }
        restarted = true;
      }
      const cfbe_token = issueToken(createKeyring([SALT]), Date.now() - 10_000);
      const restarting = restartAll();
      const results: Promise<{ status: number; success: boolean; ms: number }>[] = [];
      // On a slow machine the restarts take longer, and more visitors come.
      for (let n = 0; n < VISITORS || !restarted; n++) {
        const begun = performance.now();
        results.push(
          signUp(base, n, cfbe_token).then(([status, json]) => {
            const { success } = json as { success: boolean };
            return { status, success, ms: performance.now() - begun };
          }),
        );
        await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
      }
      await restarting;
      const seen = await Promise.all(results);
      const slowest = Math.round(Math.max(...seen.map(({ ms }) => ms)));
      console.log(
        `    ${name}: ${seen.length} visitors, responses ${JSON.stringify(attempts)}, slowest ${slowest} ms`,
      );
      assert.deepEqual(Object.keys(attempts), ["200"], "no request is repeated");
      assert.deepEqual(seen.filter(({ status, success }) => status !== 200 || !success), []);
      await using mails = await mailsIn(server.address);
      await waitUntil(
        "every visitor has an email",
        MAILED_WITHIN_MS,
        async () => new Set(await mails.read()).size === seen.length,
      );
      await mails.settled();
      assert.equal((await mails.read()).length, seen.length);
    },
  );
}

Deno.test(
  "a process that is killed with deliveries in hand leaves them to the other: all arrive, each once (a minute: until its leases end)",
  {
    ignore: !programs,
  },
  async () => {
    await using server = await startPostgres(programs!);
    await using processes = await runTwoProcesses({ CFBE_KV: server.address }, NO_SITE_LIMIT);
    await using mails = await mailsIn(server.address);
    // All at the first process: it wakes only its own runner.
    const statuses = await Promise.all(Array.from({ length: VISITORS }, async (_, n) => {
      const response = await processes.signUp(2 * n + 1, visitor(n));
      await response.body?.cancel();
      return response.status;
    }));
    assert.deepEqual(statuses.filter((status) => status !== 200), []);
    await waitUntil("some deliveries have been made", 60_000, async () => (await mails.read()).length >= 10);
    await processes.first.kill();
    const killedAt = performance.now();
    const [mailed, inHand] = [(await mails.read()).length, await mails.running()];
    assert.ok(inHand > 0 && mailed < VISITORS);
    await waitUntil(
      "every visitor has an email",
      MAILED_WITHIN_MS,
      async () => new Set(await mails.read()).size === VISITORS,
    );
    await mails.settled();
    assert.equal((await mails.read()).length, VISITORS);
    const seconds = Math.round((performance.now() - killedAt) / 1_000);
    console.log(
      `    killed after ${mailed} emails with ${inHand} jobs in hand; all ${VISITORS} mailed ${seconds} s later`,
    );
  },
);
