/** How many requests a form waits for, one after another. On a slow network each costs a round trip. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { EVERY_FIELD } from "../testing/fields.ts";
import { formThatOpens } from "../testing/openings.ts";
import { browserTest, open } from "../testing/site.ts";

/** Not waited for: the visitor types while the token arrives, and no signup is sent within 3 seconds of it. */
const BESIDE = "form-token";

/**
 * Asserts that a form needs these requests until it is usable. Each round is answered once all of its requests have
 * started, however slow the page is, so a request that waits for an answer of its own round never starts.
 */
async function assertRounds(
  form: string,
  expected: (readonly string[])[],
  /** Makes the form usable. */
  use = async (page: Page) => await page.locator("input[name=email]").click(),
  /** The form that opens by itself. */
  opening?: string,
  /** Attributes of the script tag. */
  attributes = "",
): Promise<void> {
  const rounds: string[][] = [];
  const answered = expected.map(() => Promise.withResolvers<void>());
  let current = 0;
  async function answerInRounds(page: Page) {
    await page.route(/\/news\//, async (route) => {
      const { pathname } = new URL(route.request().url());
      const name = pathname.replace("/news/", "").replace(/-[\w-]{8}\.js$/, "").split("/").at(-1)!;
      if (name !== BESIDE) {
        const round = current;
        (rounds[round] ??= []).push(name);
        if (expected[round]?.every((each) => rounds[round]!.includes(each))) answered[current++]!.resolve();
        await answered[round]?.promise;
      }
      await route.continue();
    });
  }
  try {
    await using site = await open(form, {
      live: true,
      head: `<script async ${attributes} src="SCRIPT"></script>`,
      before: answerInRounds,
      settings: {
        forms: {
          footer: { layout: "inline", cfg: "footer.cfg" },
          hero: { layout: "block", cfg: "hero.cfg" },
          bar: { layout: "promo", cfg: "bar.cfg" },
          club: { layout: "inline", cfg: "club.cfg", fields: EVERY_FIELD },
          corner: formThatOpens("slide-in"),
          top: formThatOpens("bar-top"),
        },
        ...(opening && { opening: [opening] }),
      },
    });
    await use(site.page);
  } finally {
    assert.deepEqual(rounds.map((names) => names.toSorted()), expected);
  }
}

browserTest(
  "a form waits for two requests in a row: the loader, then its settings beside its code",
  async () => {
    await assertRounds('<cfbe-form form="footer"></cfbe-form>', [
      ["cfbe.js"],
      ["cfbe.json", "form"],
    ]);
  },
);

browserTest("a form works although a part that its snippet names is missing", async () => {
  const snippet = '<cfbe-form form="footer" preload="layout gone"></cfbe-form>';
  await assertRounds(snippet, [
    ["cfbe.js"],
    ["cfbe.json", "form", "gone", "layout"],
  ]);
});

browserTest(
  "a form with fields waits for two requests in a row, because its snippet names their part",
  async () => {
    await assertRounds('<cfbe-form form="club" preload="fields"></cfbe-form>', [
      ["cfbe.js"],
      ["cfbe.json", "fields", "form"],
    ]);
  },
);

browserTest("an own-markup form waits for two requests in a row", async () => {
  const own = '<form data-cfbe-form="footer"><input name="email"></form>';
  await assertRounds(`${own}<cfbe-form hidden></cfbe-form>`, [
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
      await assertRounds(snippet, [
        ["cfbe.js"],
        ["cfbe.json", "form", ...parts],
      ]);
    },
  );
  browserTest(
    `without \`preload\`, a form with the ${layout} layout waits for one more, because its settings name the layout`,
    async () => {
      await assertRounds(`<cfbe-form form="${form}"></cfbe-form>`, [
        ["cfbe.js"],
        ["cfbe.json", "form"],
        parts,
      ]);
    },
  );
}

/** Opens a form by a button, as soon as the loader runs. */
async function useButton(page: Page): Promise<void> {
  await page.waitForFunction(() => "cfbe" in globalThis);
  await page.getByRole("button", { name: "Offer" }).click();
  await page.locator("cfbe-popup input[name=email]").click();
}

browserTest(
  "with data-manual, a button's form waits for its settings and its rules at the same time",
  async () => {
    await assertRounds(
      '<button data-cfbe-open="footer">Offer</button>',
      [["cfbe.js"], ["cfbe.json", "rules"], ["form", "popup"]],
      useButton,
      undefined,
      "data-manual",
    );
  },
);

for (const [name, parts] of [["corner", ["slide"]], ["top", ["bar", "layout"]]] as const) {
  browserTest(
    `a ${
      parts[0]
    } that is asked for as soon as the loader runs waits for three more requests in a row: its settings, the rules, its code`,
    async () => {
      await assertRounds(
        `<button data-cfbe-open="${name}">Offer</button>`,
        [["cfbe.js"], ["cfbe.json"], ["rules"], ["beside", "form", "openings", ...parts].toSorted()],
        useButton,
        name,
      );
    },
  );
}
