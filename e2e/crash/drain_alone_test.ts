/** The server's shutdown on SIGTERM, and its refusal to start on a database in use. */
import assert from "node:assert/strict";
import { seededRandom } from "../../dev/testing/seeded_random.ts";
import { AFTER_KILLS, Crowd } from "./crowd.ts";
import { databaseProblems } from "./database_checks.ts";
import { observe } from "./observer.ts";
import { freePort } from "../../dev/free_port.ts";
import { visitorProblems } from "./visitor_checks.ts";
import { waitUntilSettled } from "./settle.ts";
import { type Stage, startStage } from "./stage.ts";

/** Hosts kill a process five seconds after SIGTERM, so it must end sooner. */
const EXIT_WITHIN_MS = 4_500;
/** Task runners forward a signal twice, about this far apart. */
const REPEAT_AFTER_MS = 9;
/** Response time of every signup: long enough to send the signal while all visitors wait. */
const RESPONSE_MS = 1_500;
const VISITORS = 20;
const SETTLING = { limitMs: 60_000, impatient: true };

Deno.test("SIGTERM twice: every accepted signup is answered, nothing is lost, and the server exits with 0 within 4.5 s", async () => {
  await using stage = await startStage();
  const observer = observe(stage);
  const crowd = new Crowd(stage, seededRandom(1));
  // The provider stores each subscriber but never responds, so deliveries are running during the shutdown.
  await stage.provider.behave({ fault: "hang-after" });
  let server = stage.start({ CFBE_ANSWER_FLOOR_MS: String(RESPONSE_MS) });
  await server.ready();

  const emails = Array.from({ length: VISITORS }, (_, n) => `visitor-${n}@site.example`);
  const responses = emails.map((email) => crowd.signUp(email, AFTER_KILLS));
  // Accepted, although the visitors get their responses only a second later.
  for (const email of emails) while ((await observer.status(email)).length === 0);
  const signaled = performance.now();
  server.signal("SIGTERM");
  await new Promise((resolve) => setTimeout(resolve, REPEAT_AFTER_MS));
  server.signal("SIGTERM");
  const [outcomes, { code }] = await Promise.all([Promise.all(responses), server.ended]);
  const took = performance.now() - signaled;

  assert.deepEqual(outcomes, emails.map(() => "answered"), server.lines(20).join("\n"));
  assert.equal(code, 0, server.lines(20).join("\n"));
  assert.ok(took < EXIT_WITHIN_MS, `took ${took} ms`);

  await stage.provider.behave({ fault: "none" });
  server = stage.start();
  await server.ready();
  assert.equal((await observer.counters())["accepted"], VISITORS);
  await waitUntilSettled(stage.provider, observer, crowd, SETTLING);
  assert.deepEqual([...crowd.problems, ...await visitorProblems(stage.provider, observer, crowd)], []);
  server.signal("SIGTERM");
  await server.ended;
  assert.deepEqual(await databaseProblems(stage.database), []);
});

Deno.test("SIGTERM while a visitor is sending a request: the signup is read, answered and stored, and the server exits with 0", async () => {
  await using stage = await startStage();
  const observer = observe(stage);
  const crowd = new Crowd(stage, seededRandom(1));
  let server = stage.start();
  await server.ready();

  const body = { source: "popup", email: "slow@site.example", cfbe_token: crowd.token };
  const slow = await slowSignup(stage, JSON.stringify(body));
  server.signal("SIGTERM");
  while (await stillListening(stage)) await new Promise((resolve) => setTimeout(resolve, 5));
  const response = await slow.finish();
  const { code } = await server.ended;

  assert.match(response, /"success":true/, server.lines(20).join("\n"));
  assert.equal(code, 0, server.lines(20).join("\n"));
  server = stage.start();
  await server.ready();
  assert.equal((await observer.status("slow@site.example")).length, 1);
  const { requests, accepted } = await observer.counters();
  assert.deepEqual([requests, accepted], [1, 1]);
});

Deno.test("SIGTERM while a visitor has stopped halfway through a request: the server still exits with 0 within 4.5 s", async () => {
  await using stage = await startStage();
  const server = stage.start();
  await server.ready();
  const stuck = await slowSignup(stage, "{}".padEnd(100));
  const signaled = performance.now();
  server.signal("SIGTERM");
  const { code } = await server.ended;
  const took = performance.now() - signaled;
  stuck.close();
  assert.equal(code, 0, server.lines(20).join("\n"));
  assert.ok(took < EXIT_WITHIN_MS + 500, `took ${took} ms`);
});

Deno.test("a second process on the same database file logs one line and exits with 1", async () => {
  await using stage = await startStage();
  await stage.start().ready();
  const second = stage.start({ PORT: `${freePort()}` });
  const { code } = await second.ended;
  assert.equal(code, 1);
  assert.equal(second.lines().length, 1, second.lines().join("\n"));
  assert.match(second.lines()[0]!, /^\S+server\.kv is already open in another process/);
});

/** Sends the first part of a signup request over a new connection. */
async function slowSignup({ baseUrl, namespace }: Stage, body: string) {
  const { hostname, port } = new URL(baseUrl);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const send = (text: string) => connection.write(new TextEncoder().encode(text));
  const head = [
    `POST ${new URL(namespace).pathname}/subscribe HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Expect: 100-continue",
  ];
  await send(`${head.join("\r\n")}\r\n\r\n`);
  // The server responds "100 Continue" when it starts to read the body.
  await connection.read(new Uint8Array(1_000));
  await send(body.slice(0, 10));
  return {
    async finish(): Promise<string> {
      await send(body.slice(10));
      return await new Response(connection.readable).text();
    },
    close: () => connection.close(),
  };
}

async function stillListening({ baseUrl }: Stage): Promise<boolean> {
  const { hostname, port } = new URL(baseUrl);
  try {
    (await Deno.connect({ hostname, port: Number(port) })).close();
    return true;
  } catch {
    return false;
  }
}
