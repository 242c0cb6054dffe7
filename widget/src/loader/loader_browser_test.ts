import assert from "node:assert/strict";
import { en } from "../../../shared/texts/en.ts";
import { browserTest, heard, open, type PageOptions, type Site, until } from "../testing/site.ts";

const FORM = '<cfbe-form form="footer"><a href="/form">Subscribe by hand</a></cfbe-form>';

/** Signs up with the only form of the page. */
async function signUp({ page, backend }: Site): Promise<void> {
  await page.getByLabel(en.emailLabel).fill("ada@example.com");
  await page.locator("[part=button]").click();
  await until(page, "a signup", () => Promise.resolve(backend.arrived.length > 0));
  await page.getByText(en.success).waitFor();
  assert.equal(backend.arrived.length, 1);
}

const INSERTED = `<script>
  const script = document.createElement("script");
  script.src = "SCRIPT";
  document.head.append(script);
</script>`;

const WAYS: [how: string, body: string, options?: PageOptions][] = [
  ["in the head", FORM],
  ["blocking, before the markup", `<script src="SCRIPT"></script>${FORM}`, { head: "" }],
  ["after the markup", `${FORM}<script src="SCRIPT"></script>`, { head: "" }],
  ["as a module", FORM, { head: '<script type="module" src="SCRIPT"></script>' }],
  ["by a tag manager", FORM, { head: INSERTED }],
  ["twice", FORM, { head: '<script async src="SCRIPT"></script><script src="SCRIPT?again"></script>' }],
  ["with a version in its address", FORM, { head: '<script async src="SCRIPT?v=2#x"></script>' }],
  ["beside an element that is called cfbe", `<p id="cfbe"></p>${FORM}`],
  ["for a div, where editors strip unknown elements", '<div data-cfbe-form="footer">Soon</div>'],
];

for (const [how, body, options] of WAYS) {
  browserTest(`works when embedded ${how}`, async () => {
    await using site = await open(body, options);
    await signUp(site);
    assert.equal(site.backend.arrived[0]!.body.cfbe_cfg, "footer.cfg");
    assert.equal((await heard(site.page)).filter(({ type }) => type === "cfbe-ready").length, 1);
    assert.deepEqual(site.said, []);
  });
}

for (const type of ["text/javascript", "module"]) {
  browserTest(`works under another name, as ${type}, beside scripts whose addresses look alike`, async () => {
    await using site = await open(FORM, {
      head: `<script type="${type}" async src="RENAMED"></script><script async src="RENAMED2"></script>`,
    });
    await signUp(site);
  });
}

browserTest("works under the strictest policy and with Trusted Types, and violates neither", async () => {
  await using site = await open(FORM, {
    settings: { consent: "required", consentText: "[Privacy](https://shop.example/privacy)" },
    headers: {
      "content-security-policy": "default-src 'none'; script-src ORIGIN; connect-src ORIGIN; " +
        "require-trusted-types-for 'script'; trusted-types 'none'",
    },
    head: '<script async src="SCRIPT"></script>',
  });
  await site.page.getByLabel("Privacy").check();
  await signUp(site);
  const width = (await site.page.locator("[part=form]").boundingBox())!.width;
  assert.ok(width > 400, "the styles are there");
  assert.deepEqual(await site.page.evaluate("violations"), []);
});

browserTest("works under a policy of nonces alone: what the script loads inherits its nonce", async () => {
  await using site = await open(FORM, {
    headers: { "content-security-policy": "script-src 'nonce-abc'" },
    head: '<script async nonce="abc" src="SCRIPT"></script>',
  });
  await signUp(site);
});

browserTest("the most hostile style sheet changes nothing", async () => {
  const style = "<style>html,body{margin:0;display:block}</style>";
  const boxes = async (head: string) => {
    await using site = await open(FORM, { head: `<script async src="SCRIPT"></script>${style}${head}` });
    await site.page.locator("[part=form]").waitFor();
    return await site.page.evaluate(() =>
      [...document.querySelector("cfbe-form")!.shadowRoot!.querySelectorAll<HTMLElement>("[part]")].map(
        (part) => {
          const { color, font, display, padding } = getComputedStyle(part);
          return [
            part.getAttribute("part"),
            part.offsetWidth,
            part.offsetHeight,
            color,
            font,
            display,
            padding,
          ];
        },
      )
    );
  };
  const hostile = "<style>* { all: unset !important } head, head * { display: none !important }</style>";
  assert.deepEqual(await boxes(hostile), await boxes(""));
});

browserTest("forms that are added later count, and several on a page work", async () => {
  await using site = await open("<main></main>");
  const { page } = site;
  await page.waitForFunction(() => "cfbe" in globalThis);
  await page.evaluate(() => {
    document.querySelector("main")!.innerHTML = `<section><cfbe-form form="footer"></cfbe-form></section>
      <div data-cfbe-form="other" data-cfbe-theme="dark"></div>`;
  });
  await until(page, "both are ready", async () => (await heard(page)).length === 2);
  assert.deepEqual((await heard(page)).map(({ detail }) => detail.form).sort(), ["footer", "other"]);
  assert.equal(await page.locator("[data-cfbe-form] [part=form].dark").count(), 1);
});

browserTest("with data-manual nothing happens before scan()", async () => {
  await using site = await open(FORM, { head: '<script async data-manual src="SCRIPT"></script>' });
  const { page, backend } = site;
  await page.waitForFunction(() => "cfbe" in globalThis);
  await page.clock.runFor(5000);
  assert.deepEqual(backend.asked, ["/cfbe.js"]);
  await page.evaluate("cfbe.scan()");
  await signUp(site);
});

browserTest(
  "what the page pushed before and after loading runs, and a mistake stops only itself",
  async () => {
    await using site = await open(FORM, {
      head: `<script>
      globalThis.tracked = [];
      const track = (event) => tracked.push(event.type + " " + event.detail.code);
      (window.cfbe ||= []).push(() => { throw new Error("the page's own mistake"); });
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
    assert.equal(site.said.length, 1);
  },
);

browserTest("a script signs up without a form, and mounts, updates and removes one", async () => {
  await using site = await open("<main></main>");
  const { page, backend } = site;
  await page.waitForFunction(() => "cfbe" in globalThis);
  await page.evaluate(
    `void cfbe.subscribe({ form: "footer", email: "ada@example.com" }).then((a) => globalThis.answer = a)`,
  );
  await until(page, "an answer", async () => await page.evaluate("globalThis.answer?.code") === "pending");
  assert.equal(backend.arrived[0]!.body.cfbe_cfg, "footer.cfg");
  assert.deepEqual(backend.forms, [""], "nobody has seen a form");

  await page.evaluate(`globalThis.form = cfbe.mount(document.querySelector("main"), { heading: "One" })`);
  await page.getByText("One", { exact: true }).waitFor();
  await page.evaluate(`form.update({ heading: "Two", theme: "dark" })`);
  await page.getByText("Two").waitFor();
  await page.evaluate("form.destroy()");
  assert.equal(await page.locator("cfbe-form").count(), 0);
});

browserTest(
  "a server that is away leaves the page's own markup in place, and nothing is thrown",
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
      () => Promise.resolve(site.said.some((line) => line.startsWith("[cfbe]"))),
    );
    assert.equal(await page.getByText("Subscribe by hand").isVisible(), true);
  },
);

browserTest(
  "what failed is tried again with scan() and when another form comes near, and not with any change",
  async () => {
    await using site = await open(`${FORM}<p style="height:9000px"></p><cfbe-form></cfbe-form>`);
    const { page } = site;
    await until(page, "the script", () => page.evaluate("'cfbe' in self"));
    let asked = 0;
    await page.route(/\/cfbe\.json/, (route) => {
      asked++;
      const headers = { "access-control-allow-origin": "*" };
      return route.fulfill({ contentType: "text/html", body: "<h1>Welcome to this hotel</h1>", headers });
    });
    await page.reload();
    await until(
      page,
      "a warning",
      () => Promise.resolve(site.said.some((line) => line.startsWith("[cfbe]"))),
    );
    const before = asked;
    await page.evaluate("void document.body.append('text', document.createElement('p'))");
    await page.clock.runFor(20_000);
    assert.equal(asked, before);

    await page.evaluate("void cfbe.scan()");
    await until(page, "asked again", () => Promise.resolve(asked > before));
    await page.unroute(/\/cfbe\.json/);
    await page.evaluate(() => scrollTo(0, 9000));
    await until(page, "both are ready", async () => (await heard(page)).length === 2);
  },
);

browserTest("no name but cfbe is added to the page", async () => {
  await using site = await open(FORM, { head: "" });
  const names = () => site.page.evaluate(() => Object.getOwnPropertyNames(globalThis));
  const before = await names();
  await site.page.addScriptTag({ url: `${site.backend.base}/cfbe.js` });
  await site.page.getByLabel(en.emailLabel).waitFor();
  assert.deepEqual((await names()).filter((name) => !before.includes(name)), ["cfbe"]);
});

browserTest(
  "the page's language decides which texts are asked for, and the script tag may overrule it",
  async () => {
    const asked = async (html: string, attributes = "", form = "<cfbe-form></cfbe-form>") => {
      await using site = await open(form, {
        html,
        head: `<script async ${attributes} src="SCRIPT"></script>`,
      });
      await site.page.getByLabel(en.emailLabel).waitFor();
      // The popup's are the page's, a form's may be others.
      return site.backend.locales;
    };
    assert.deepEqual(await asked('lang="de-AT"'), ["de-AT"]);
    assert.deepEqual(await asked('lang="de"', "", '<p lang="fr"><cfbe-form></cfbe-form></p>'), ["de", "fr"]);
    assert.deepEqual(await asked('lang="de"', 'data-locale="pt"'), ["pt"]);
    assert.deepEqual(await asked('lang="de"', 'data-locale="pt"', '<cfbe-form locale="it"></cfbe-form>'), [
      "pt",
      "it",
    ]);
  },
);

const NAMING: Record<string, [body: string, use?: string]> = {
  "an element": [`<cfbe-form form="nosuch"></cfbe-form>`],
  "a stand-in": [`<div data-cfbe-form="nosuch"></div>`],
  "own markup": [`<form data-cfbe-form="nosuch"><input name="email"></form>`],
  "a popup's button": [
    `<button data-cfbe-open="nosuch">Open</button>`,
    `document.querySelector("button").click()`,
  ],
  "a script": ["", `void cfbe.subscribe({ form: "nosuch", email: "ada@example.com" })`],
  "a name that every object has": [`<cfbe-form form="constructor"></cfbe-form>`],
};
for (const [what, [body, use]] of Object.entries(NAMING)) {
  browserTest(`${what} that names a form which doesn't exist is told in the console, once`, async () => {
    await using site = await open(body);
    const { page, said } = site;
    await page.waitForFunction(() => "cfbe" in globalThis);
    if (use) await page.evaluate(use);
    await until(page, "the warning", () => Promise.resolve(said.length > 0));
    await page.clock.runFor(5000);
    const name = body.includes("constructor") ? "constructor" : "nosuch";
    assert.deepEqual(said, [`[cfbe] form="${name}" is not on the page Forms of the admin`]);
  });
}
