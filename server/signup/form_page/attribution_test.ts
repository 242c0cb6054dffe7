/** Where a signup on a form's own page came from. */
import assert from "node:assert/strict";
import { signupStatuses } from "../../operations/remote/signup_status.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { startProgram, type TestProgram } from "../../../dev/testing/program.ts";

const OPENED = "/form/footer?utm_source=mastodon&utm_campaign=spring&ref=ann@example.com";

/** Opens the form from another site, fills it in, and submits it as a browser does without JavaScript. */
async function signUp(program: TestProgram, clock: ManualClock, email: string): Promise<void> {
  const headers = { referer: "https://news.example/an-article" };
  const html = await (await fetch(program.baseUrl + OPENED, { headers })).text();
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  await clock.advance(3_000);
  const body = new URLSearchParams([
    ["email", email],
    ["consent", "true"],
    ...inputs.map(([, name, value]) => [name!, value!]),
  ]);
  const response = await fetch(program.baseUrl + OPENED, { method: "POST", body });
  assert.match(await response.text(), /check your inbox/);
}

async function pageOf(program: TestProgram, email: string) {
  const [status] = (await signupStatuses(program.services, email))!;
  return status!.record.page;
}

Deno.test("a signup on a form's own page keeps its path, UTM parameters and linking site, and nothing else", async () => {
  const clock = new ManualClock();
  const settings = { forms: { forms: [{ name: "footer", attribution: true }] } };
  await using program = await startProgram({ clock, file: { settings } });
  await signUp(program, clock, "ann@example.com");
  assert.deepEqual(await pageOf(program, "ann@example.com"), {
    path: "/form/footer",
    referrer: "https://news.example",
    utm: { source: "mastodon", campaign: "spring" },
  });
});

Deno.test("without 'Remember where', a signup on a form's own page keeps nothing about it", async () => {
  const clock = new ManualClock();
  await using program = await startProgram({
    clock,
    file: { settings: { forms: { forms: [{ name: "footer" }] } } },
  });
  await signUp(program, clock, "ann@example.com");
  assert.equal(await pageOf(program, "ann@example.com"), undefined);
});
