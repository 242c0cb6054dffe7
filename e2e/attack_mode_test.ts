/** Attack mode with the real program and the real widget, on a page of another origin with a strict policy. */
import assert from "node:assert/strict";
import { startProgram } from "../dev/testing/program.ts";
import { launch } from "./browser.ts";
import { waitUntil } from "./program.ts";

const SOON_MS = 60_000;

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
    await using browser = await launch();
    const page = await browser.newPage();
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
