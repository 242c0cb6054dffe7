import assert from "node:assert/strict";
import fc from "fast-check";
import { systemClock } from "../deps.ts";
import { startProgram } from "../../../dev/testing/program.ts";
import { createLog } from "./log.ts";

function logged(fields: Record<string, unknown>, secrets: string[] = []): string {
  const lines: string[] = [];
  createLog({ clock: systemClock, secrets: () => secrets, write: (line) => void lines.push(line) })
    .info("event", fields);
  return lines[0]!;
}

Deno.test("an email address keeps its first letter and its domain, wherever it occurs", () => {
  const line = logged({
    text: "to ada.lovelace@example.com!",
    deep: [{ of: "Eve <eve@example.org>" }],
    error: new Error("no ada.lovelace@example.com"),
    url: "https://api.example/subscribers/ada.lovelace%40example.com?x=1",
    quoted: "'o'hara+x@example.com'",
  });
  assert.doesNotMatch(line, /lovelace|eve@|hara/);
  assert.match(line, /a\*\*\*@example\.com/);
});

Deno.test("no address that a visitor can type is logged", () => {
  fc.assert(fc.property(fc.emailAddress(), fc.string({ unit: "grapheme-ascii" }), (email, around) => {
    const local = email.slice(0, email.lastIndexOf("@"));
    const line = logged({ a: `${around} ${email} ${around}`, b: { c: [email] } });
    // A local part of asterisks looks like its own replacement.
    if (!/^\*+$/.test(local)) assert.ok(!line.includes(JSON.stringify(email).slice(1, -1)), line);
    if (local.length > 6 && !around.includes(local)) assert.ok(!line.includes(local), line);
  }));
});

Deno.test("secrets are redacted by value wherever they occur, and by the name of their member", () => {
  const line = logged({
    apiKey: "aaaa",
    headers: { Authorization: "Bearer bbbb", "x-cfbe-secret": "cccc", cookie: "dddd" },
    cfbe_token: "eeee",
    message: "the key is s3cr3t-value, said https://x/?k=s3cr3t-value",
  }, ["s3cr3t-value"]);
  assert.doesNotMatch(line, /aaaa|bbbb|cccc|dddd|eeee|s3cr3t-value/);
});

Deno.test("every log line is one line of JSON with time, level and event", () => {
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.anything()), (fields) => {
    const line = logged(fields);
    assert.ok(!line.includes("\n"));
    const { time, level, event } = JSON.parse(line);
    assert.ok(Date.parse(time) > 0);
    assert.deepEqual([level, event], ["info", "event"]);
  }));
});

Deno.test("a complete signup, with every possible failure, logs no address and no secret", async () => {
  const env = { CFBE_API_TOKEN: "the-token-of-the-operator", CFBE_WEBHOOK_SECRET: "the-secret-of-the-hook" };
  await using program = await startProgram({ env });
  const sandboxKey = program.services.settings.apiKey();
  assert.notEqual(sandboxKey, "");
  const emails = [
    "ada.lovelace",
    "bounced+lovelace",
    "down+lovelace",
    "auto+lovelace",
    "unsubscribed+lovelace",
  ];
  const token = program.token();
  for (const [i, local] of emails.entries()) {
    await (await program.subscribe({ email: `${local}@example.com`, cfbe_token: token }, `192.0.2.${i}`)).body
      ?.cancel();
  }
  const bodies = ['{"type":"bounce","emailData":{"to":"ada.lovelace@example.com"}}', "{", "x".repeat(70_000)];
  for (const body of bodies) {
    for (const secret of [env.CFBE_WEBHOOK_SECRET, "wrong-secret-lovelace"]) {
      const headers = { "x-cfbe-secret": secret };
      await (await fetch(`${program.api}/provider-hook`, { method: "POST", headers, body })).body?.cancel();
    }
  }
  const authorization = `Bearer ${env.CFBE_API_TOKEN}`;
  const body = JSON.stringify({ email: "ada.lovelace@example.com" });
  await (await fetch(`${program.baseUrl}/ops/status`, { method: "POST", headers: { authorization }, body }))
    .body
    ?.cancel();
  await program.sandbox?.idle();
  await program.runner.idle();
  await program.tick();
  await program.runner.idle();
  const log = program.lines.join("\n");
  assert.ok(program.lines.length > 8);
  assert.doesNotMatch(log, /lovelace/);
  for (
    const secret of [...Object.values(env), sandboxKey, "a salt for tests", token, token.split(".")[1]!]
  ) {
    assert.ok(!log.includes(secret), secret);
  }
});

Deno.test("a log line contains the request ID that is also in the response", async () => {
  await using program = await startProgram();
  program.services.policies.ip = () => assert.fail("out of order");
  const response = await program.subscribe({ email: "ada@example.com" });
  assert.equal(response.status, 503);
  await response.body?.cancel();
  const failed = program.lines.map((line) => JSON.parse(line)).filter(({ level }) => level === "error");
  assert.ok(failed.length > 0);
  for (const { request } of failed) assert.equal(request, response.headers.get("x-request-id"));
});

Deno.test("every log event is named area.event in snake_case", () => {
  const server = new URL("../../", import.meta.url);
  const CALL = /\blog\.(?:info|warn|error)\(\s*(?:"([^"]+)"|`([^`]+)`)/g;
  const events = [...sources(server)].flatMap((file) =>
    [...Deno.readTextFileSync(file).matchAll(CALL)].map(([, plain, template]) =>
      plain ?? template!.replaceAll(/\$\{[^}]+\}/g, "x")
    )
  );
  assert.ok(events.length > 50);
  assert.deepEqual(events.filter((event) => !/^[a-z_]+\.[a-z_]+$/.test(event)), []);
});

function* sources(folder: URL): Generator<URL> {
  for (const entry of Deno.readDirSync(folder)) {
    if (entry.isDirectory) yield* sources(new URL(`${entry.name}/`, folder));
    else if (/(?<!_test)\.tsx?$/.test(entry.name)) yield new URL(entry.name, folder);
  }
}
