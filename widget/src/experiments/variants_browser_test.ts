import assert from "node:assert/strict";
import type { PublicExperiment, PublicSettings, PublicVariant } from "../../../shared/public_settings.ts";
import { en } from "../../../shared/texts/en.ts";
import { isOpen, openPage, RULES, waitForPopup, waitPastTriggers } from "../testing/popup.ts";
import { browserTest, open, until } from "../testing/site.ts";

const FORM = `<cfbe-form form="footer"></cfbe-form>`;
/** An experiment in which every session draws the first variant. */
const always = (variant: Omit<PublicVariant, "until">): PublicExperiment => ({
  id: "x1",
  variants: [{ until: 1, ...variant }, { until: 1, cfg: "never.cfg" }],
});
const footer = (variant: Omit<PublicVariant, "until">) => ({
  preload: "variants" as const,
  forms: { footer: { layout: "inline" as const, cfg: "footer.cfg", experiment: always(variant) } },
});

browserTest(
  "the form renders as its variant at once, and is reported once per session when it is seen",
  async () => {
    await using site = await open(`<div style="height: 300vh"></div>${FORM}`, {
      settings: footer({ cfg: "b.cfg", heading: "Variant B" }),
    });
    const { page, backend } = site;
    await page.evaluate("scrollTo(0, 1e6)");
    await until(page, "the variant", () => page.getByText("Variant B").isVisible());
    await until(page, "the report", () => Promise.resolve(backend.seen.length === 1));
    await page.reload();
    await until(page, "the variant again", () => page.getByText("Variant B").isVisible());
    await until(page, "a token", () => Promise.resolve(backend.tokens.length === 2));
    assert.deepEqual([backend.seen, site.logs], [["b.cfg"], []]);
    assert.deepEqual(
      await page.evaluate(() => [document.cookie, ...Object.keys(sessionStorage).toSorted()]),
      [
        "",
        "cfbe_pick",
        "cfbe_pickx1",
      ],
    );
  },
);

for (const storage of ["none", "consent"]) {
  browserTest(
    `with data-storage="${storage}", nothing is stored before consent, and the variant is drawn`,
    async () => {
      await using site = await open(FORM, {
        head: `<script async src="SCRIPT" data-storage="${storage}"></script>`,
        settings: footer({ cfg: "b.cfg", heading: "Variant B" }),
      });
      const { page, backend } = site;
      await until(page, "the report", () => Promise.resolve(backend.seen.length === 1));
      const stored = () => page.evaluate(() => Object.keys(sessionStorage).length);
      assert.equal(await stored(), 0);
      await page.evaluate("cfbe.consent(true)");
      const afterConsent = storage === "none" ? 0 : 2;
      await until(page, "the consent", async () => await stored() === afterConsent);
    },
  );
}

browserTest(
  "a variant without a form keeps the popup closed, is reported when it would open, and counts other forms",
  async () => {
    const settings = {
      preload: "variants" as const,
      popup: {
        cfg: "popup.cfg",
        rules: RULES,
        experiment: { ...always({ cfg: "none.cfg", hidden: true }), all: true as const },
      },
    };
    await using site = await openPage(
      `<button data-cfbe-open>Open</button><div style="height: 300vh"></div>${FORM}`,
      {},
      {
        settings,
      },
    );
    const { page, backend } = site;
    await until(page, "the report", () => Promise.resolve(backend.seen.length === 1));
    await waitPastTriggers(page);
    assert.equal(await isOpen(page), false);
    // Visitors who ask for the popup get it.
    await page.getByRole("button", { name: "Open" }).click();
    await waitForPopup(page);
    await page.getByLabel(en.form.emailLabel).last().fill("ada@example.com");
    await page.keyboard.press("Escape");
    await page.evaluate(`void cfbe.subscribe({ form: "footer", email: "ada@example.com" })`);
    await until(page, "the signup", () => Promise.resolve(backend.signups.length === 1));
    assert.deepEqual([backend.seen, backend.signups[0]!.body.cfbe_cfg], [
      ["none.cfg"],
      "footer.cfg~none.cfg",
    ]);
  },
);

browserTest(
  "a variant without a form keeps a slide-in closed, too, and is reported when it would open",
  async () => {
    const opens = { ...RULES, kind: "slide-in" as const, quietHours: 0 };
    const sale = {
      layout: "inline" as const,
      cfg: "sale.cfg",
      opens,
      experiment: { ...always({ cfg: "none.cfg", hidden: true }), all: true as const },
    };
    await using site = await open("<h1>A shop</h1>", {
      settings: { preload: "variants", opening: ["sale"], forms: { sale } },
    });
    const { page, backend } = site;
    await until(page, "the report", () => Promise.resolve(backend.seen.length === 1));
    await waitPastTriggers(page);
    assert.equal(await page.locator("cfbe-popup[open]").count(), 0);
    assert.deepEqual(backend.seen, ["none.cfg"]);
  },
);

browserTest(
  "a signup by cfbe.subscribe(), which shows no form, is reported as a session that saw the variant",
  async () => {
    await using site = await open("", { settings: footer({ cfg: "b.cfg" }) });
    const { page, backend } = site;
    await until(
      page,
      "the script",
      async () => await page.evaluate("'cfbe' in globalThis && 'push' in cfbe"),
    );
    for (let signup = 0; signup < 2; signup++) {
      await page.evaluate(`void cfbe.subscribe({ form: "footer", email: "ada@example.com" })`);
      await until(page, "the signup", () => Promise.resolve(backend.signups.length === signup + 1));
    }
    await until(page, "the report", () => Promise.resolve(backend.seen.length === 1));
    assert.deepEqual([backend.seen, backend.signups[0]!.body.cfbe_cfg], [["b.cfg"], "b.cfg"]);
  },
);

browserTest("a variant shows a countdown that its form has not, or none where its form has one", async () => {
  const countdown = { end: Date.UTC(2100, 0, 1), after: "Over." };
  const form = { layout: "inline" as const, cfg: "form.cfg" };
  await using site = await open(`${FORM}<cfbe-form form="sale"></cfbe-form>`, {
    settings: {
      preload: "variants",
      forms: {
        footer: { ...form, experiment: always({ cfg: "b.cfg", heading: "With", countdown }) },
        sale: {
          ...form,
          countdown,
          experiment: always({ cfg: "c.cfg", heading: "Without", countdown: null }),
        },
      },
    },
  });
  const { page } = site;
  await page.getByText("Without").waitFor();
  await page.locator("cfbe-form[form=footer] [part=countdown]").getByText("days").waitFor();
  assert.equal(await page.locator("cfbe-form[form=sale] [part=countdown]").count(), 0);
  assert.deepEqual(site.logs, []);
});

browserTest("after a signup, a variant with a next page leads there in place of its form's", async () => {
  await using site = await open("<cfbe-form form='footer'></cfbe-form>", {
    settings: {
      preload: "variants",
      forms: {
        footer: {
          layout: "inline",
          cfg: "footer.cfg",
          successUrl: "/#own",
          experiment: always({ cfg: "b.cfg", successUrl: "/#variant" }),
        },
      },
    },
  });
  const { page, backend } = site;
  await page.getByLabel(en.form.emailLabel).fill("ada@example.com");
  await page.getByRole("button", { name: en.form.button }).click();
  await until(page, "the next page", () => Promise.resolve(page.url().endsWith("/#variant")));
  assert.equal(backend.signups[0]!.body.cfbe_cfg, "b.cfg");
});

/** An experiment in which the popup, or a slide-in, opens after an hour in this session. */
const LATE = { ...RULES, triggers: { ...RULES.triggers, delaySeconds: 3600 } };
const lateSlideIn = { ...LATE, kind: "slide-in" as const, quietHours: 0 };

const LATE_KINDS: Record<string, Partial<PublicSettings>> = {
  popup: {
    popup: {
      cfg: "popup.cfg",
      rules: RULES,
      experiment: { ...always({ cfg: "late.cfg", rules: LATE }), all: true },
    },
  },
  "slide-in": {
    opening: ["sale"],
    forms: {
      sale: {
        layout: "inline",
        cfg: "sale.cfg",
        opens: { ...lateSlideIn, ...RULES },
        experiment: { ...always({ cfg: "late.cfg", opens: lateSlideIn }), all: true },
      },
    },
  },
};

for (const [kind, settings] of Object.entries(LATE_KINDS)) {
  browserTest(
    `a ${kind} opens at the time of its variant, and its session counts before that, once per session`,
    async () => {
      await using site = await open("<h1>A shop</h1>", { settings: { preload: "variants", ...settings } });
      const { page, backend } = site;
      await until(page, "the report", () => Promise.resolve(backend.seen.length === 1));
      await waitPastTriggers(page);
      assert.equal(await page.locator("cfbe-popup[open]").count(), 0, "not at the form's own time");
      await page.clock.runFor(3_600_000);
      await until(page, "the form", async () => await page.locator("cfbe-popup[open]").count() === 1);
      await until(page, "a token", () => Promise.resolve(backend.tokens.length === 1));
      assert.deepEqual(backend.seen, ["late.cfg"]);
    },
  );
}

browserTest(
  "a session does not count for an experiment about the time to open on a page where the form never opens",
  async () => {
    const popup = {
      cfg: "popup.cfg",
      rules: RULES,
      experiment: {
        ...always({ cfg: "late.cfg", rules: { ...LATE, excludePaths: ["/"] } }),
        all: true as const,
      },
    };
    await using site = await open("<h1>A shop</h1>", { settings: { preload: "variants", popup } });
    await waitPastTriggers(site.page);
    assert.deepEqual(site.backend.seen, []);
    await site.page.evaluate(`void cfbe.subscribe({ email: "ada@example.com" })`);
    await until(site.page, "the report", () => Promise.resolve(site.backend.seen.length === 1));
  },
);

browserTest("a form with a configuration of the page's own is not reported", async () => {
  await using site = await open(`<cfbe-form form="footer" cfg="own.cfg"></cfbe-form>`, {
    settings: footer({ cfg: "b.cfg" }),
  });
  const { page, backend } = site;
  await until(page, "a token", () => Promise.resolve(backend.tokens.length === 1));
  assert.deepEqual(backend.seen, []);
});

browserTest("if the code that draws variants cannot be loaded, the form is shown as it is", async () => {
  await using site = await open(FORM, {
    settings: footer({ cfg: "b.cfg", heading: "Variant B" }),
    before: (page) => page.route(/\/cfbe\/variants-/, (route) => route.abort()),
  });
  await until(site.page, "the form", () => site.page.getByText(en.form.heading).isVisible());
  assert.deepEqual(site.backend.seen, []);
});

browserTest("without an experiment, the code that draws variants is not loaded", async () => {
  await using site = await open(FORM);
  await until(site.page, "the form", () => site.page.getByLabel(en.form.emailLabel).isVisible());
  assert.deepEqual(site.backend.requests.filter((path) => path.includes("variants")), []);
});
