import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { FormChallenge } from "../../../shared/contract.ts";
import { en } from "../../../shared/texts/en.ts";
import { browserTest, open, type Site, until } from "../testing/site.ts";

const FORM = `<cfbe-form form="footer"></cfbe-form>`;
const SALT = "0123456789abcdef01234567?expires=2000000000&token=1893456000000&";
const NUMBER = 54_321;
const CHALLENGE: FormChallenge = {
  algorithm: "SHA-256",
  challenge: createHash("sha256").update(`${SALT}${NUMBER}`).digest("hex"),
  maxnumber: 60_000,
  salt: SALT,
  signature: "signed",
};
const STRICT = "default-src 'none'; script-src ORIGIN; connect-src ORIGIN; style-src 'unsafe-inline'";
const policy = (more = "") => ({ headers: { "content-security-policy": STRICT + more } });

async function signUp({ page, backend }: Site, count = 1): Promise<void> {
  await page.getByRole("textbox").first().fill("ada@example.com");
  await page.getByRole("button", { name: en.form.button }).click();
  await until(page, "a signup", () => Promise.resolve(backend.signups.length === count));
}

/** Returns the proof in the latest signup. */
function proofIn({ backend }: Site): Record<string, unknown> | undefined {
  const [, , proof] = backend.signups.at(-1)!.body.cfbe_token!.split(".");
  return proof === undefined ? undefined : JSON.parse(atob(proof));
}
const { maxnumber: _, ...PROOF } = { ...CHALLENGE, number: NUMBER };

browserTest(
  "during an attack, a worker solves the challenge, and the signup is sent with the solution",
  async () => {
    let workers = 0;
    await using site = await open(FORM, {
      ...policy("; worker-src blob:"),
      before: (page) => Promise.resolve(page.on("worker", () => workers++)),
    });
    site.backend.challenge = CHALLENGE;
    await site.page.reload();
    await signUp(site);
    assert.deepEqual(proofIn(site), PROOF);
    assert.ok(workers > 0);
    assert.deepEqual(await site.page.evaluate("violations"), []);
  },
);

browserTest(
  "where the page's policy allows no worker, the challenge is solved between the page's own work",
  async () => {
    await using site = await open(FORM, policy());
    site.backend.challenge = CHALLENGE;
    await site.page.reload();
    await signUp(site);
    assert.deepEqual(proofIn(site), PROOF);
  },
);

browserTest(
  "a worker that never answers does not keep the visitor waiting: the challenge is solved without it",
  async () => {
    await using site = await open(FORM, {
      before: (page) => page.addInitScript("globalThis.Worker = class { postMessage() {} terminate() {} }"),
    });
    site.backend.challenge = CHALLENGE;
    await site.page.reload();
    await signUp(site);
    assert.deepEqual(proofIn(site), PROOF);
  },
);

browserTest("in calm times, nothing is solved or loaded for it", async () => {
  await using site = await open(FORM);
  await signUp(site);
  assert.equal(proofIn(site), undefined);
  assert.ok(!site.backend.requests.some((path) => path.includes("/cfbe/token-")));
});

browserTest(
  "a form that was open before the attack is sent with a solution, and counts as one view",
  async () => {
    await using site = await open(FORM);
    await until(site.page, "a token", () => Promise.resolve(site.backend.tokens.length === 1));
    await site.page.clock.runFor(10 * 60_000);
    site.backend.challenge = CHALLENGE;
    await signUp(site);
    assert.deepEqual(proofIn(site), PROOF);
    assert.deepEqual(site.backend.tokenForms, ["footer", ""]);
  },
);
