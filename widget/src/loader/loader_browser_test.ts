import assert from "node:assert/strict";
import { en } from "../../../shared/texts/en.ts";
import { FORM, signUp } from "../testing/form.ts";
import { browserTest, open, recordedEvents, until } from "../testing/site.ts";

browserTest("forms added later are found, and several forms work on one page", async () => {
  await using site = await open("<main></main>");
  const { page } = site;
  await page.waitForFunction(() => "cfbe" in globalThis);
  await page.evaluate(() => {
    document.querySelector("main")!.innerHTML = `<section><cfbe-form form="footer"></cfbe-form></section>
      <div data-cfbe-form="other" data-cfbe-theme="dark"></div>`;
  });
  await until(page, "both are ready", async () => (await recordedEvents(page)).length === 2);
  assert.deepEqual((await recordedEvents(page)).map(({ detail }) => detail.form).sort(), ["footer", "other"]);
  assert.equal(await page.locator("[data-cfbe-form] [part=form].dark").count(), 1);
});

browserTest("with data-manual nothing is loaded before scan()", async () => {
  await using site = await open(FORM, { head: '<script async data-manual src="SCRIPT"></script>' });
  const { page, backend } = site;
  await page.waitForFunction(() => "cfbe" in globalThis);
  await page.clock.runFor(5000);
  assert.deepEqual(backend.requests, ["/cfbe.js"]);
  await page.evaluate("cfbe.scan()");
  await signUp(site);
});

browserTest("with data-manual, a placeholder becomes one form, in its own language", async () => {
  const div = '<div data-cfbe-form="footer" data-cfbe-locale="it" data-cfbe-heading="One">Soon</div>';
  await using site = await open(div, { head: '<script async data-manual src="SCRIPT"></script>' });
  const { page, backend } = site;
  await page.waitForFunction(() => "cfbe" in globalThis);
  await page.evaluate("cfbe.scan()");
  await page.getByRole("heading", { name: "One" }).waitFor();
  assert.deepEqual(backend.locales, ["it,en,en,en-US"]);
  assert.equal(await page.locator("div > cfbe-form[form=footer]").count(), 1);
  assert.equal((await recordedEvents(page)).filter(({ type }) => type === "cfbe-ready").length, 1);
});

browserTest(
  "functions pushed before and after loading run, and an error in one does not stop the others",
  async () => {
    await using site = await open(FORM, {
      head: `<script>
      globalThis.tracked = [];
      const track = (event) => tracked.push(event.type + " " + event.detail.code);
      (window.cfbe ||= []).push(() => { throw new Error("an error of the page"); });
      (window.cfbe ||= []).push((c) => c.on("success", track));
      (window.cfbe ||= []).push((c) => c.on("success", track)());
    </script><script async data-datalayer src="SCRIPT"></script>`,
    });
    const { page } = site;
    await page.waitForFunction(() => "subscribe" in ((globalThis as unknown as Window).cfbe ?? {}));
    await page.evaluate(`(window.cfbe ||= []).push((c) => c.on("submit", () => tracked.push("submit")))`);
    await signUp(site);
    assert.deepEqual(await page.evaluate("tracked"), ["submit", "cfbe-success pending"]);
    assert.deepEqual(
      await page.evaluate("dataLayer.map(({ event, form, code }) => [event, form, code ?? ''])"),
      [
        ["cfbe-ready", "footer", ""],
        ["cfbe-beforesubmit", "footer", ""],
        ["cfbe-submit", "footer", ""],
        ["cfbe-success", "footer", "pending"],
      ],
    );
    assert.equal(site.logs.length, 1);
  },
);

browserTest("the API can sign up without a form, and mount, update and remove a form", async () => {
  await using site = await open("<main></main>");
  const { page, backend } = site;
  await page.waitForFunction(() => "cfbe" in globalThis);
  await page.evaluate(
    `void cfbe.subscribe({ form: "footer", email: "ada@example.com" }).then((a) => globalThis.answer = a)`,
  );
  await until(page, "a response", async () => await page.evaluate("globalThis.answer?.code") === "pending");
  assert.equal(backend.signups[0]!.body.cfbe_cfg, "footer.cfg");
  assert.deepEqual(backend.tokenForms, [""], "not counted as a form view");

  await page.evaluate(`globalThis.form = cfbe.mount(document.querySelector("main"), { heading: "One" })`);
  await page.getByText("One", { exact: true }).waitFor();
  await page.evaluate(`form.update({ heading: "Two", theme: "dark" })`);
  await page.getByText("Two").waitFor();
  await page.evaluate("form.destroy()");
  assert.equal(await page.locator("cfbe-form").count(), 0);
});

browserTest(
  "if the server is unavailable, the fallback content stays and nothing is thrown",
  async () => {
    await using site = await open(FORM, { head: "" });
    const { page, backend } = site;
    backend.settings = undefined;
    await page.evaluate((src) => {
      const script = document.createElement("script");
      script.src = src;
      document.head.append(script);
    }, `${backend.base}/cfbe.js`);
    await until(
      page,
      "a warning",
      () => Promise.resolve(site.logs.some((line) => line.startsWith("[cfbe]"))),
    );
    assert.equal(await page.getByText("Subscribe by hand").isVisible(), true);
  },
);

browserTest(
  "a failed form is retried by scan() and when another form comes near, but not on every DOM change",
  async () => {
    await using site = await open(`${FORM}<p style="height:9000px"></p><cfbe-form></cfbe-form>`);
    const { page } = site;
    await until(page, "the script", () => page.evaluate("'cfbe' in self"));
    let requests = 0;
    await page.route(/\/cfbe\.json/, (route) => {
      requests++;
      const headers = { "access-control-allow-origin": "*" };
      return route.fulfill({ contentType: "text/html", body: "<h1>Welcome to this hotel</h1>", headers });
    });
    await page.reload();
    const warnings = (count: number) =>
      until(
        page,
        `${count} warnings`,
        () => Promise.resolve(site.logs.filter((line) => line.startsWith("[cfbe]")).length === count),
      );
    await warnings(1);
    const before = requests;
    await page.evaluate("void document.body.append('text', document.createElement('p'))");
    await page.clock.runFor(20_000);
    assert.equal(requests, before);

    await page.evaluate("void cfbe.scan()");
    await until(page, "another request", () => Promise.resolve(requests > before));
    // While it is under way, the form is not retried again.
    await warnings(2);
    await page.unroute(/\/cfbe\.json/);
    await page.evaluate(() => scrollTo(0, 9000));
    await until(page, "both are ready", async () => (await recordedEvents(page)).length === 2);
  },
);

browserTest(
  "the texts are in the form's language, else the script's, the page's or the visitor's",
  async () => {
    const requestedLocales = async (
      html: string,
      attributes = "",
      form = "<cfbe-form></cfbe-form>",
      count = 1,
    ) => {
      await using site = await open(form, {
        html,
        head: `<script async ${attributes} src="SCRIPT"></script>`,
      });
      await site.page.getByLabel(en.form.emailLabel).waitFor();
      // The popup uses the page's locale. A form's locale may differ, and either may be requested first.
      const { locales } = site.backend;
      await until(site.page, `${count} requests`, () => Promise.resolve(locales.length >= count));
      return locales.toSorted();
    };
    assert.deepEqual(await requestedLocales('lang="de-AT"'), ["de-AT,de-AT,en-US"]);
    assert.deepEqual(await requestedLocales('lang="de"', "", '<p lang="fr"><cfbe-form></cfbe-form></p>', 2), [
      "de,de,en-US",
      "fr,de,en-US",
    ]);
    assert.deepEqual(await requestedLocales('lang="de"', 'data-locale="pt"'), ["pt,de,de,en-US"]);
    assert.deepEqual(
      await requestedLocales('lang="de"', 'data-locale="pt"', '<cfbe-form locale="it"></cfbe-form>', 2),
      ["it,pt,de,de,en-US", "pt,de,de,en-US"],
    );
    assert.deepEqual(await requestedLocales(""), ["en-US"]);
  },
);

const UNKNOWN_FORMS: Record<string, [body: string, script?: string]> = {
  "a <cfbe-form>": [`<cfbe-form form="nosuch"></cfbe-form>`],
  "a placeholder": [`<div data-cfbe-form="nosuch"></div>`],
  "an own-markup form": [`<form data-cfbe-form="nosuch"><input name="email"></form>`],
  "a popup button": [
    `<button data-cfbe-open="nosuch">Open</button>`,
    `document.querySelector("button").click()`,
  ],
  "cfbe.subscribe()": ["", `void cfbe.subscribe({ form: "nosuch", email: "ada@example.com" })`],
  "a <cfbe-form> with the name of an object property": [`<cfbe-form form="constructor"></cfbe-form>`],
};
for (const [what, [body, script]] of Object.entries(UNKNOWN_FORMS)) {
  browserTest(`an unknown form name causes one warning: ${what}`, async () => {
    await using site = await open(body);
    const { page, logs } = site;
    await page.waitForFunction(() => "cfbe" in globalThis);
    if (script) await page.evaluate(script);
    await until(page, "the warning", () => Promise.resolve(logs.length > 0));
    await page.clock.runFor(5000);
    const name = body.includes("constructor") ? "constructor" : "nosuch";
    assert.deepEqual(logs, [`[cfbe] unknown form="${name}": add it in the admin`]);
  });
}
