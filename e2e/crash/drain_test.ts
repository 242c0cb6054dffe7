/** How the program ends when it is asked to, and that it does not begin where another one runs. */
import assert from "node:assert/strict";
import { seededRandom } from "../../server/testing/seeded_random.ts";
import { AFTERWARDS, Crowd } from "./crowd.ts";
import { wrongWithDatabase } from "./database_proof.ts";
import { outsideOf } from "./outside.ts";
import { freePort } from "./program_process.ts";
import { wrongWithVisitors } from "./proof.ts";
import { untilSettled } from "./settled.ts";
import { setStage, type Stage } from "./stage.ts";

/** Hosts kill five seconds after they asked a process to end; it has ended by itself before that. */
const LAST_MS = 4_500;
/** Task runners pass a signal on twice, so far apart. */
const TWICE_MS = 9;
/** A visitor waits this long for the answer: time to send the signal while all of them do. */
const FLOOR_MS = 1_500;
const VISITORS = 20;
const SETTLING = { limitMs: 60_000, impatient: true };

Deno.test("SIGTERM twice: who was heard is answered, nothing is lost, and the exit is 0 within 4.5 s", async () => {
  await using stage = await setStage();
  const outside = outsideOf(stage);
  const crowd = new Crowd(stage, seededRandom(1));
  // The provider takes what it is given and then says nothing: deliveries are under way when the end comes.
  await outside.setFaults({ mode: "hang-after" });
  let own = stage.start({ CFBE_ANSWER_FLOOR_MS: String(FLOOR_MS) });
  await own.ready();
  await crowd.takeToken();

  const emails = Array.from({ length: VISITORS }, (_, n) => `visitor-${n}@site.example`);
  const coming = emails.map((email) => crowd.signUp(email, AFTERWARDS));
  // Accepted, which the visitor is told a second later only.
  for (const email of emails) while ((await outside.status(email)).length === 0);
  const asked = performance.now();
  own.signal("SIGTERM");
  await new Promise((resolve) => setTimeout(resolve, TWICE_MS));
  own.signal("SIGTERM");
  const [came, { code }] = await Promise.all([Promise.all(coming), own.ended]);
  const took = performance.now() - asked;

  assert.deepEqual(came, emails.map(() => "answered"), own.lines(20).join("\n"));
  assert.equal(code, 0, own.lines(20).join("\n"));
  assert.ok(took < LAST_MS, `took ${took} ms`);

  await outside.setFaults({ mode: "none" });
  own = stage.start();
  await own.ready();
  assert.equal((await outside.counters())["accepted"], VISITORS);
  await untilSettled(outside, crowd, SETTLING);
  assert.deepEqual([...crowd.wrong, ...await wrongWithVisitors(outside, crowd)], []);
  own.signal("SIGTERM");
  await own.ended;
  assert.deepEqual(await wrongWithDatabase(stage.database), []);
});

Deno.test("SIGTERM while a visitor is sending: the visitor is heard to the end, answered and kept, and the exit is 0", async () => {
  await using stage = await setStage();
  const outside = outsideOf(stage);
  const crowd = new Crowd(stage, seededRandom(1));
  let own = stage.start();
  await own.ready();
  await crowd.takeToken();

  const body = { source: "popup", email: "slow@site.example", cfbe_token: crowd.token };
  const slow = await slowSignup(stage, JSON.stringify(body));
  own.signal("SIGTERM");
  while (await stillListening(stage)) await new Promise((resolve) => setTimeout(resolve, 5));
  const answer = await slow.finish();
  const { code } = await own.ended;

  assert.match(answer, /"success":true/, own.lines(20).join("\n"));
  assert.equal(code, 0, own.lines(20).join("\n"));
  own = stage.start();
  await own.ready();
  assert.equal((await outside.status("slow@site.example")).length, 1);
  const { requests, accepted } = await outside.counters();
  assert.deepEqual([requests, accepted], [1, 1]);
});

Deno.test("SIGTERM while a visitor has stopped halfway: the exit is 0 within 4.5 s all the same", async () => {
  await using stage = await setStage();
  const own = stage.start();
  await own.ready();
  const stuck = await slowSignup(stage, "{}".padEnd(100));
  const asked = performance.now();
  own.signal("SIGTERM");
  const { code } = await own.ended;
  const took = performance.now() - asked;
  stuck.leave();
  assert.equal(code, 0, own.lines(20).join("\n"));
  assert.ok(took < LAST_MS + 500, `took ${took} ms`);
});

Deno.test("a second process on the same database file says so in one sentence and exits 1", async () => {
  await using stage = await setStage();
  await stage.start().ready();
  const second = stage.start({ PORT: freePort() });
  const { code } = await second.ended;
  assert.equal(code, 1);
  assert.equal(second.lines().length, 1, second.lines().join("\n"));
  assert.match(second.lines()[0]!, /^\S+own\.kv is in use by another process/);
});

/** Sends half of a signup over a connection of its own. */
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
  // Asked to go on: so somebody has begun to read the body, and the request is under way.
  await connection.read(new Uint8Array(1_000));
  await send(body.slice(0, 10));
  return {
    async finish(): Promise<string> {
      await send(body.slice(10));
      return await new Response(connection.readable).text();
    },
    leave: () => connection.close(),
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
