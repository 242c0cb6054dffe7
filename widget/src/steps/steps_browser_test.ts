/** Forms in two steps: what is asked, sent and heard in each. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { accessTree, focusedNode } from "../../../e2e/access_tree.ts";
import { axe } from "../../../e2e/axe.ts";
import { FIRST_STEPS } from "../../../shared/fields/order.ts";
import { de } from "../../../shared/texts/de.ts";
import { en } from "../../../shared/texts/en.ts";
import { CHOICES, EVERY_FIELD } from "../testing/fields.ts";
import { ALL_FIELDS, email, FORM, hasState, submit, waitForSuccess } from "../testing/form.ts";
import { formThatOpens, panel, waitForPanel } from "../testing/openings.ts";
import { dialog, openPage } from "../testing/popup.ts";
import { browserTest, open, recordedEvents, type Site, until } from "../testing/site.ts";
import { back, fillSecond, footer, name, next, openSteps, settle, subscribe } from "../testing/steps.ts";

const problems = async (page: Page) =>
  (await axe(page).analyze()).violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);

for (const steps of FIRST_STEPS) {
  browserTest(
    `the step with the ${steps} sends nothing, and the second sends one signup with everything`,
    async () => {
      await using site = await openSteps(steps);
      const { page, backend } = site;
      await next(page).waitFor();
      assert.equal(await subscribe(page).isVisible(), false);
      assert.equal(await name(page).isVisible(), false);
      assert.equal(await email(page).isVisible(), steps === "email");
      if (steps === "email") await email(page).pressSequentially("ada@example.com");
      await settle(site);
      if (steps === "email") {
        await until(
          page,
          "suggestions",
          () => Promise.resolve(backend.requests.some((path) => /mail/.test(path))),
        );
      }
      const requests: string[] = [];
      page.on("request", (request) => requests.push(request.url()));
      await next(page).click();
      await subscribe(page).waitFor();
      await page.clock.runFor(10_000);
      assert.deepEqual(requests, []);
      assert.equal(await next(page).count(), 0);

      if (steps === "button") await email(page).fill("ada@example.com");
      await fillSecond(page);
      await subscribe(page).click();
      await waitForSuccess(site);
      const [{ body }] = backend.signups as [typeof backend.signups[0]];
      assert.equal(backend.signups.length, 1);
      assert.deepEqual(body, {
        source: "shortcode",
        email: "ada@example.com",
        cfbe_hp: "",
        name: "Ada",
        interests: ["offers"],
        consent: true,
        form: "footer",
        cfbe_cfg: "footer.cfg",
        cfbe_token: body.cfbe_token,
      });
      assert.deepEqual((await recordedEvents(page)).map(({ type }) => type), [
        "cfbe-ready",
        "cfbe-beforesubmit",
        "cfbe-submit",
        "cfbe-success",
      ]);
      assert.deepEqual(site.logs, []);
    },
  );

  browserTest(
    `after the step with the ${steps}, the first field has the focus, and the step is announced`,
    async () => {
      await using site = await openSteps(steps);
      const { page } = site;
      if (steps === "email") await email(page).fill("ada@example.com");
      const status = page.locator("[part=step]");
      await status.waitFor({ state: "attached" });
      assert.equal(await status.textContent(), "");
      assert.ok(
        (await accessTree(page)).some(({ role }) => role === "status"),
        "there before it says something",
      );
      await next(page).click();
      const focused = await focusedNode(page);
      assert.equal(focused?.name, steps === "email" ? "Name (optional)" : en.form.emailLabel);
      const tree = await accessTree(page);
      const said = tree.findIndex(({ name, role }) => role === "StaticText" && name === en.form.stepTwo);
      assert.equal(tree[said - 1]?.role, "status");
    },
  );

  browserTest(`Back leads to the step with the ${steps}, and everything that was entered stays`, async () => {
    await using site = await openSteps(steps);
    const { page } = site;
    if (steps === "email") await email(page).fill("ada@example.com");
    await next(page).click();
    if (steps === "button") await email(page).fill("ada@example.com");
    await fillSecond(page);
    await back(page).click();
    assert.equal(await name(page).isVisible(), false);
    assert.equal(await back(page).count(), 0);
    const focused = await focusedNode(page);
    assert.equal(focused?.name, steps === "email" ? en.form.emailLabel : en.form.next);
    await page.keyboard.press("Enter");
    assert.equal(await name(page).inputValue(), "Ada");
    assert.equal(await page.getByLabel(/privacy policy/).isChecked(), true);
    await submit2(site);
    assert.equal(site.backend.signups[0]!.body.email, "ada@example.com");
  });

  browserTest(`the form that begins with the ${steps} works with the keyboard alone`, async () => {
    await using site = await openSteps(steps);
    const { page, backend } = site;
    await next(page).waitFor();
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press("Tab");
    if (steps === "email") await page.keyboard.type("ada@example.com");
    await press("Enter");
    if (steps === "button") {
      await page.keyboard.type("ada@example.com");
      await press("Tab");
    }
    await page.keyboard.type("Ada");
    await press("Tab", "Space", "Tab", "Tab", "Space", "Tab", "Tab", "Enter");
    await waitForSuccess(site);
    const { body } = backend.signups[0]!;
    assert.deepEqual([body.email, body.name, body.interests, body.consent], ["ada@example.com", "Ada", [
      "news",
    ], true]);
    assert.equal(backend.signups.length, 1);
  });

  browserTest(`axe finds nothing in the form that begins with the ${steps}`, async () => {
    await using site = await openSteps(steps, { ...CHOICES, ...ALL_FIELDS, fields: EVERY_FIELD }, {
      live: true,
    });
    const { page } = site;
    await next(page).waitFor();
    assert.deepEqual(await problems(page), []);
    if (steps === "email") await email(page).fill("ada@example.com");
    await next(page).click();
    await subscribe(page).waitFor();
    assert.deepEqual(await problems(page), []);
  });

  for (const layout of ["block", "promo"] as const) {
    browserTest(
      `a ${layout} that begins with the ${steps} shows each step's controls in a narrow and a wide window`,
      async () => {
        for (const width of [320, 900]) {
          await using site = await open(`<cfbe-form form="wide"></cfbe-form>`, {
            viewport: { width, height: 700 },
            settings: { ...ALL_FIELDS, forms: { wide: { layout, cfg: "wide.cfg", steps } } },
          });
          const { page } = site;
          await next(page).waitFor();
          if (steps === "email") await email(page).fill("ada@example.com");
          await next(page).click();
          for (const control of [back(page), name(page), subscribe(page)]) {
            const { x, width: own } = (await control.boundingBox())!;
            assert.ok(x >= 0 && x + own <= width);
          }
          assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
        }
      },
    );
  }

  browserTest(
    `a popup that a visitor opens begins with the ${steps}, which has the focus, and no step hides a control`,
    async () => {
      const popup = { cfg: "popup.cfg", steps };
      await using site = await openPage("<button data-cfbe-open>Open</button>", {}, {
        viewport: { width: 320, height: 480 },
        settings: { ...ALL_FIELDS, popup },
      });
      const { page } = site;
      await page.waitForFunction(() => "cfbe" in globalThis);
      await page.getByRole("button", { name: "Open" }).click();
      await next(page).waitFor();
      assert.equal((await focusedNode(page))?.name, steps === "email" ? en.form.emailLabel : en.form.next);
      if (steps === "email") await email(page).fill("ada@example.com");
      const first = (await dialog(page).boundingBox())!;
      await next(page).click();
      const second = (await dialog(page).boundingBox())!;
      assert.ok(second.height > first.height && second.y >= 0 && second.y + second.height <= 480);
      assert.ok((await page.getByRole("button", { name: en.form.close }).boundingBox())!.y >= second.y);
      for (const control of [back(page), name(page), subscribe(page)]) {
        await control.evaluate((element) => element.scrollIntoView({ block: "center" }));
        const { y, height } = (await control.boundingBox())!;
        assert.ok(
          y >= second.y && y + height <= second.y + second.height,
          `${y} ${height}, ${JSON.stringify(second)}`,
        );
      }
    },
  );

  browserTest(
    `a slide-in in a low window grows to the step with the ${steps}, and goes on from there`,
    async () => {
      const sale = { ...formThatOpens("slide-in"), steps };
      await using site = await open("<h1>A shop</h1>", {
        viewport: { width: 320, height: 320 },
        settings: { ...ALL_FIELDS, opening: ["sale"], forms: { sale } },
      });
      const { page } = site;
      await waitForPanel(page);
      await next(page).click();
      assert.equal((await focusedNode(page))?.name, steps === "email" ? en.form.emailLabel : en.form.next);
      if (steps === "email") await email(page).fill("ada@example.com");
      await next(page).click();
      await subscribe(page).scrollIntoViewIfNeeded();
      const { y, height } = (await panel(page).boundingBox())!;
      assert.ok(y >= 0 && y + height <= 320);
    },
  );
}

/** Submits the second step, and advances the clock until the form shows a result. */
async function submit2({ page }: Site): Promise<void> {
  await subscribe(page).click();
  await until(page, "a result", async () => await hasState(page, "success") || await hasState(page, "error"));
}

browserTest(
  "an invalid email address is an error of the first step, and no error awaits in the second",
  async () => {
    await using site = await openSteps("email");
    const { page, backend } = site;
    await email(page).fill("ada@");
    await page.keyboard.press("Enter");
    const status = page.locator("form > [part=message]");
    await until(page, "the error", async () => await status.textContent() === en.form.invalidEmail);
    const focused = await focusedNode(page);
    assert.deepEqual([focused?.name, focused?.invalid, focused?.description], [
      en.form.emailLabel,
      true,
      en.form.invalidEmail,
    ]);
    assert.equal(await next(page).isVisible(), true);
    assert.deepEqual((await recordedEvents(page)).at(-1), {
      type: "cfbe-error",
      detail: { form: "footer", source: "shortcode", code: "invalid", fields: ["email"] },
    });
    await email(page).fill("ada@example.com");
    await page.keyboard.press("Enter");
    await subscribe(page).waitFor();
    assert.equal(await page.locator("[part=error]").count(), 0);
    assert.equal(backend.signups.length, 0);
  },
);

browserTest("the second step reports its own errors, and stays", async () => {
  await using site = await openSteps("email");
  const { page } = site;
  await email(page).fill("ada@example.com");
  await next(page).click();
  await submit2(site);
  assert.equal((await focusedNode(page))?.description, en.form.invalidConsent);
  assert.equal(await back(page).isVisible(), true);
});

browserTest(
  "an error of the server about the email address leads back to it, and the rest stays",
  async () => {
    await using site = await openSteps("email");
    const { page, backend } = site;
    await email(page).fill("ada@example.com");
    await next(page).click();
    await fillSecond(page);
    const accepts = backend.answer;
    backend.answer = () => ({
      success: false,
      code: "invalid",
      message: en.form.invalid,
      fields: { email: "No such." },
    });
    await submit2(site);
    const focused = await focusedNode(page);
    assert.deepEqual([focused?.name, focused?.description], [en.form.emailLabel, "No such."]);
    backend.answer = accepts;
    await email(page).fill("ada@example.net");
    await next(page).click();
    await submit2(site);
    assert.equal(await hasState(page, "success"), true);
    const { body } = backend.signups[1]!;
    assert.deepEqual([body.email, body.name, body.consent], ["ada@example.net", "Ada", true]);
  },
);

browserTest("what the second step said is not said in the first", async () => {
  await using site = await openSteps("button");
  const { page, backend } = site;
  await next(page).click();
  await email(page).fill("ada@example.com");
  await fillSecond(page);
  backend.answer = () => ({ success: false, code: "rejected", message: "Not today." });
  await submit2(site);
  const status = page.locator("form > [part=message]");
  assert.equal(await status.textContent(), "Not today.");
  await back(page).click();
  await until(page, "no message", async () => await status.textContent() === "");
});

browserTest(
  "in a popup on a phone, a long label of the button leaves room for an email address",
  async () => {
    const texts = { ...en.form, ...de.form };
    await using site = await openPage("<button data-cfbe-open>Open</button>", {}, {
      viewport: { width: 360, height: 740 },
      settings: { locale: "de", texts, popup: { cfg: "popup.cfg", steps: "button" } },
    });
    const { page } = site;
    await page.waitForFunction(() => "cfbe" in globalThis);
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByRole("button", { name: de.form.next }).click();
    const { width } = (await page.getByLabel(de.form.emailLabel).boundingBox())!;
    assert.ok(width >= 176, `${width} px`);
  },
);

browserTest("while a signup is being sent, Back does nothing", async () => {
  await using site = await openSteps("button");
  const { page } = site;
  await next(page).click();
  await email(page).fill("ada@example.com");
  await fillSecond(page);
  await subscribe(page).click();
  await until(page, "busy", () => hasState(page, "busy"));
  await back(page).click();
  assert.equal(await name(page).isVisible(), true);
  await waitForSuccess(site);
});

browserTest("a form with only an email address has one step", async () => {
  await using site = await openSteps("email", {});
  const { page, backend } = site;
  await email(page).fill("ada@example.com");
  assert.equal(await next(page).count() + await back(page).count(), 0);
  await submit(site);
  assert.equal(backend.signups.length, 1);
});

browserTest("a form in one step loads no code for steps", async () => {
  await using site = await open(FORM, { settings: { ...ALL_FIELDS, forms: footer() } });
  await subscribe(site.page).waitFor();
  await settle(site);
  assert.ok(!site.backend.requests.some((path) => path.includes("/steps-")), `${site.backend.requests}`);
});

browserTest("a form that becomes another one begins with its first step, or has one", async () => {
  const other = { layout: "inline", cfg: "other.cfg", steps: "button" } as const;
  const plain = { layout: "inline", cfg: "plain.cfg" } as const;
  await using site = await open(FORM, {
    settings: { ...ALL_FIELDS, forms: { ...footer("email"), other, plain } },
  });
  const { page } = site;
  const become = (form: string) =>
    page.locator("cfbe-form").evaluate((element, form) => element.setAttribute("form", form), form);
  await email(page).fill("ada@example.com");
  await next(page).click();
  await become("other");
  await until(
    page,
    "the first step",
    async () => await next(page).isVisible() && !await email(page).isVisible(),
  );
  await become("plain");
  await until(page, "one step", () => subscribe(page).isVisible());
  assert.equal(await email(page).isVisible() && await name(page).isVisible(), true);
  assert.equal(await next(page).count() + await back(page).count(), 0);
  await become("footer");
  await until(page, "the first step", () => next(page).isVisible());
  assert.equal(await email(page).inputValue(), "ada@example.com");
  assert.equal(await name(page).isVisible(), false);
});

browserTest("an attribute that changes in the second step leaves the visitor there", async () => {
  await using site = await openSteps("button");
  const { page } = site;
  await next(page).click();
  await page.locator("cfbe-form").evaluate((element) => element.setAttribute("theme", "dark"));
  await page.clock.runFor(1000);
  assert.equal(await back(page).isVisible(), true);
  assert.equal((await focusedNode(page))?.name, en.form.emailLabel);
});
