/** Attack mode with the real program and the real widget, on a page of another origin with a strict policy. */
import assert from "node:assert/strict";
import { ManualClock } from "../dev/testing/manual_clock.ts";
import { startProgram } from "../dev/testing/program.ts";
import { browserOfFile } from "./browser.ts";
import { waitUntil } from "./program.ts";

const SOON_MS = 60_000;

const browser = browserOfFile();

/** Policies of a page that embeds the form, by what solves the challenge there. */
const POLICIES = {
  "in a worker": "; worker-src blob:",
  "on a page that allows no worker": "",
};

for (const [where, more] of Object.entries(POLICIES)) {
  Deno.test(`a visitor signs up during an attack: the widget solves the server's challenge ${where}`, async () => {
    await using program = await startProgram({
      file: { settings: { privacy: { attackMode: "on" }, forms: { forms: [{ name: "footer" }] } } },
    });
    const { baseUrl, services } = program;
    const policy = `default-src 'none'; script-src ${baseUrl}; connect-src ${baseUrl}${more}`;
    await using site = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      () =>
        new Response(
          `<!doctype html><html lang="en"><title>A shop</title><script async src="${baseUrl}/cfbe.js"></script>
           <cfbe-form form="footer"></cfbe-form>`,
          { headers: { "content-type": "text/html", "content-security-policy": policy } },
        ),
    );
    await using context = await browser().newContext();
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${site.addr.port}/`);
    await page.getByLabel("Email address").fill("ada@example.com");
    await page.getByRole("button", { name: "Subscribe" }).click();
    await page.getByText("check your inbox").waitFor({ timeout: SOON_MS });
    await waitUntil("the solved challenge is counted", SOON_MS, async () => {
      const { accepted, "note.challenge_solved": solved } = await services.counters.totals();
      return accepted === 1 && solved === 1;
    });
    assert.equal((await services.counters.totals())["dropped.challenge"], undefined);
  });
}

Deno.test("a visitor without JavaScript signs up during an attack: sent within ten seconds, the page comes back filled in, and is accepted when it is sent again", async () => {
  const clock = new ManualClock();
  await using program = await startProgram({
    clock,
    file: { settings: { privacy: { attackMode: "on" }, forms: { forms: [{ name: "footer" }] } } },
  });
  const { baseUrl, services } = program;
  await using context = await browser().newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${baseUrl}/form/footer`);
  await page.getByLabel("Email address").fill("ada@example.com");
  await clock.advance(9_000);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByRole("alert").getByText("Your signup hasn’t been sent yet.").waitFor({ timeout: SOON_MS });
  assert.equal(await page.getByLabel("Email address").inputValue(), "ada@example.com");
  assert.equal((await services.counters.totals())["accepted"], undefined);
  await clock.advance(1_000);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByText("check your inbox").waitFor({ timeout: SOON_MS });
  const { accepted, "note.challenge_solved": solved } = await services.counters.totals();
  assert.deepEqual([accepted, solved], [1, 1]);
});
