/**
 * Takes the pictures of README.md: the demo page after a signup, and the admin after a month of signups. Run it with
 * `deno run -A docs/images/take.ts` after `deno task build`. It needs pngquant, which makes the files small.
 */
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { launch } from "../../e2e/browser.ts";
import { ManualClock } from "../../server/testing/manual_clock.ts";
import { seededRandom } from "../../server/testing/seeded_random.ts";
import { runProgram } from "../../e2e/program.ts";
import { startProgram } from "../../server/testing/program.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DAYS = 30;
const LAST_DAY = Date.UTC(2026, 10, 20, 9);
const PASSWORD = "a password for the pictures";
const FORMS = ["footer", "article", "welcome"];
const FOLDER = fileURLToPath(new URL(".", import.meta.url));

const clock = new ManualClock(LAST_DAY - (DAYS - 1) * DAY);
const random = seededRandom(7);
const below = (max: number) => Math.floor(random.float() * max);

await using program = await startProgram({
  clock,
  env: { CFBE_ADMIN_PASSWORD: PASSWORD },
  file: { settings: { forms: { forms: FORMS.map((name) => ({ name })) } } },
});

interface Inbox {
  mails: { links: { confirm: string } }[];
}

async function json(path: string) {
  return await (await fetch(program.baseUrl + path)).json();
}
const { forms } = await json("/cfbe.json");

/** Opens the link of the confirmation email, if one has come. */
async function confirm(email: string): Promise<void> {
  const { mails: [mail] } = await json(`/sandbox/inbox.json?email=${encodeURIComponent(email)}`);
  if (mail) await (await fetch(mail.links.confirm)).body?.cancel();
  await program.runner.idle();
}

/** One day of views and signups, of which some are invalid, some bots, and most are confirmed. */
async function live(day: number): Promise<void> {
  const signups = 3 + Math.floor(day / 5) + below(5);
  for (let i = 0; i < signups * (5 + below(3)); i += 1) {
    await (await fetch(`${program.api}/form-token?form=${FORMS[below(3)]}`)).body?.cancel();
  }
  for (let i = 0; i < signups; i += 1) {
    const email = below(15) === 0 ? "no address" : `visitor.${day}.${i}@example.com`;
    const bot = below(20) === 0 && { cfbe_hp: "filled" };
    const { cfg } = forms[FORMS[Math.min(below(4), 2)]!];
    await (await program.subscribe({ email, cfbe_cfg: cfg, ...bot }, `198.51.${day}.${i}`)).body?.cancel();
    await program.runner.idle();
    await clock.advance(20 * MINUTE);
    if (below(4) > 0) await confirm(email);
  }
  await program.tick();
}

async function picture(page: Page, name: string): Promise<void> {
  const path = `${FOLDER}${name}.png`;
  await page.screenshot({ path });
  const args = ["--force", "--strip", "--output", path, "64", path];
  const { success } = await new Deno.Command("pngquant", { args }).output();
  if (!success) throw new Error(`pngquant could not shrink ${path}`);
}

async function takeDemo(browser: Browser): Promise<void> {
  await using real = await runProgram();
  const page = await browser.newPage({ viewport: { width: 1280, height: 760 }, deviceScaleFactor: 2 });
  await page.goto(`${real.baseUrl}/demo`);
  await page.getByLabel("Email address").fill("ada@example.com");
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByText("done", { exact: true }).nth(2).waitFor();
  const { mails: [mail] } = await real.json<Inbox>("/sandbox/inbox.json?email=ada%40example.com");
  await (await fetch(mail!.links.confirm)).body?.cancel();
  await page.getByText("done", { exact: true }).nth(4).waitFor();
  await picture(page, "demo");
}

async function takeAdmin(browser: Browser): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, deviceScaleFactor: 2 });
  await page.goto(`${program.baseUrl}/admin/login`);
  await page.getByLabel("Name").fill("admin");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/admin/overview");
  await picture(page, "admin");
}

for (let day = 0; day < DAYS; day += 1) {
  await live(day);
  if (day < DAYS - 1) await clock.advance(LAST_DAY - (DAYS - 2 - day) * DAY - clock.now());
}
const browser = await launch();
try {
  await takeAdmin(browser);
  await takeDemo(browser);
} finally {
  await browser.close();
}
