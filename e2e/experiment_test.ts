/** An experiment between two variants of a form: a real browser draws, and the real program counts. */
import assert from "node:assert/strict";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { VariantCounts } from "../server/forms/experiments/counts.ts";
import { startProgram, type TestProgram } from "../dev/testing/program.ts";
import { launch } from "./browser.ts";
import { waitUntil } from "./program.ts";

const SOON_MS = 15_000;
/** With two equal variants, one session in 2 ** 39 tests reaches only one of them. */
const MAX_SESSIONS = 40;
const settings = {
  forms: {
    forms: [{
      name: "footer",
      experiment: {
        id: "x1",
        state: "running" as const,
        variants: [{ id: "a", name: "As it is" }, {
          id: "b",
          name: "Short",
          overrides: { heading: "Short" },
        }],
      },
    }],
  },
};

async function countsOf({ services }: TestProgram, variant: string): Promise<VariantCounts> {
  const sum: VariantCounts = { seen: 0, accepted: 0, confirmed: 0, ordered: 0 };
  for (const each of await services.experimentCounts.days("x1", 0, 100_000)) {
    if (each.variant !== `x1/${variant}`) continue;
    for (const step of Object.keys(sum) as (keyof VariantCounts)[]) sum[step] += each[step];
  }
  return sum;
}

/** Opens the page in a new session, and returns the variant that it shows. */
async function startSession(browser: Browser, url: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  return { context, page, variant: await variantIn(page) };
}

async function variantIn(page: Page): Promise<string> {
  await page.getByLabel("Email address").waitFor({ timeout: SOON_MS });
  return await page.getByRole("heading", { name: "Short" }).isVisible() ? "b" : "a";
}

Deno.test({
  name:
    "each session keeps its variant, sessions differ, and a signup and its confirmation count for their variant",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using program = await startProgram({ file: { settings } });
    const markup = `<!doctype html><html lang="en"><title>A shop</title>
      <script async src="${program.baseUrl}/cfbe.js"></script><cfbe-form form="footer"></cfbe-form></html>`;
    const site = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      () => new Response(markup, { headers: { "content-type": "text/html" } }),
    );
    const url = `http://127.0.0.1:${site.addr.port}/`;
    const browser = await launch();
    try {
      const first = await startSession(browser, url);
      const contexts: BrowserContext[] = [first.context];
      const seen = { a: 0, b: 0, [first.variant]: 1 };
      while (!(seen.a && seen.b)) {
        assert.ok(contexts.length < MAX_SESSIONS);
        const { context, variant } = await startSession(browser, url);
        contexts.push(context);
        seen[variant as "a"]++;
      }
      for (let load = 0; load < 3; load++) {
        await first.page.reload();
        assert.equal(await variantIn(first.page), first.variant);
      }
      await first.page.getByLabel("Email address").fill("ada@example.com");
      await first.page.getByRole("button", { name: "Subscribe" }).click();
      await first.page.getByText("please check your inbox").last().waitFor({ timeout: SOON_MS });
      await program.runner.idle();
      const inbox = await (await fetch(`${program.baseUrl}/sandbox/inbox.json?email=ada@example.com`)).json();
      await (await fetch(inbox.mails[0].links.confirm)).body?.cancel();
      await program.services.poll.run();
      await waitUntil("the confirmation is counted", SOON_MS, async () => {
        await program.runner.idle();
        return (await countsOf(program, first.variant)).confirmed === 1;
      });
      const expected = (variant: "a" | "b") => {
        const own = Number(variant === first.variant);
        return { seen: seen[variant], accepted: own, confirmed: own, ordered: 0 };
      };
      assert.deepEqual(await countsOf(program, "a"), expected("a"));
      assert.deepEqual(await countsOf(program, "b"), expected("b"));
      for (const context of contexts) await context.close();
    } finally {
      await browser.close();
      await site.shutdown();
    }
  },
});
