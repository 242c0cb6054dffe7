/** How many requests a form waits for, one after another. On a slow network each costs a round trip. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { EVERY_FIELD } from "../testing/fields.ts";
import { browserTest, open } from "../testing/site.ts";

/** Longer than the page's own work between a response and the next request, on a busy machine too. */
const LATENCY_MS = 200;

/** Delays every request to the fake server, and records which of them had ended before each one started. */
async function recordChains(page: Page): Promise<() => string[][]> {
  const ended: string[] = [];
  const requests: { name: string; after: string[] }[] = [];
  await page.route(/\/news\//, async (route) => {
    const { pathname } = new URL(route.request().url());
    const name = pathname.replace("/news/", "").replace(/-[\w-]{8}\.js$/, "").split("/").at(-1)!;
    requests.push({ name, after: [...ended] });
    await new Promise((resolve) => setTimeout(resolve, LATENCY_MS));
    ended.push(name);
    await route.continue();
  });
  return () => {
    const rounds: string[][] = [];
    for (const { name, after } of requests) {
      const round = rounds.findLastIndex((names) => names.some((earlier) => after.includes(earlier))) + 1;
      (rounds[round] ??= []).push(name);
    }
    return rounds.map((names) => names.sort());
  };
}

async function roundsUntilUsable(form: string): Promise<string[][]> {
  let rounds = (): string[][] => [];
  await using site = await open(form, {
    live: true,
    before: async (page) => void (rounds = await recordChains(page)),
    settings: {
      forms: {
        footer: { layout: "inline", cfg: "footer.cfg" },
        hero: { layout: "block", cfg: "hero.cfg" },
        bar: { layout: "promo", cfg: "bar.cfg" },
        club: { layout: "inline", cfg: "club.cfg", fields: EVERY_FIELD },
      },
    },
  });
  await site.page.locator("input[name=email]").click();
  // The visitor types while the token arrives: no signup is sent within 3 seconds of the token.
  return rounds().map((names) => names.filter((name) => name !== "form-token")).filter(({ length }) =>
    length
  );
}

browserTest(
  "a form waits for two requests in a row: the loader, then its settings beside its code",
  async () => {
    assert.deepEqual(await roundsUntilUsable('<cfbe-form form="footer"></cfbe-form>'), [
      ["cfbe.js"],
      ["cfbe.json", "form"],
    ]);
  },
);

browserTest("a form works although a part that its snippet names is missing", async () => {
  const snippet = '<cfbe-form form="footer" preload="layout gone"></cfbe-form>';
  assert.deepEqual(await roundsUntilUsable(snippet), [
    ["cfbe.js"],
    ["cfbe.json", "form", "gone", "layout"],
  ]);
});

browserTest(
  "a form with fields waits for two requests in a row, because its snippet names their part",
  async () => {
    assert.deepEqual(await roundsUntilUsable('<cfbe-form form="club" preload="fields"></cfbe-form>'), [
      ["cfbe.js"],
      ["cfbe.json", "fields", "form"],
    ]);
  },
);

browserTest("an own-markup form waits for two requests in a row", async () => {
  const own = '<form data-cfbe-form="footer"><input name="email"></form>';
  assert.deepEqual(await roundsUntilUsable(`${own}<cfbe-form hidden></cfbe-form>`), [
    ["cfbe.js"],
    ["cfbe.json", "own"],
  ]);
});

for (
  const [layout, form, parts] of [["block", "hero", ["layout"]], ["promo", "bar", [
    "layout",
    "rules",
  ]]] as const
) {
  browserTest(
    `a form with the ${layout} layout waits for two requests in a row, because its snippet names the layout's parts`,
    async () => {
      const snippet = `<cfbe-form form="${form}" preload="${parts.join(" ")}"></cfbe-form>`;
      assert.deepEqual(await roundsUntilUsable(snippet), [
        ["cfbe.js"],
        ["cfbe.json", "form", ...parts],
      ]);
    },
  );
  browserTest(
    `without \`preload\`, a form with the ${layout} layout waits for one more, because its settings name the layout`,
    async () => {
      assert.deepEqual(await roundsUntilUsable(`<cfbe-form form="${form}"></cfbe-form>`), [
        ["cfbe.js"],
        ["cfbe.json", "form"],
        parts,
      ]);
    },
  );
}
