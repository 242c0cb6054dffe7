/** Ways to embed the script, and its isolation from the page. */
import assert from "node:assert/strict";
import { en } from "../../../shared/texts/en.ts";
import { FORM, signUp } from "../testing/form.ts";
import { browserTest, open, type PageOptions, recordedEvents } from "../testing/site.ts";

const INSERTED = `<script>
  const script = document.createElement("script");
  script.src = "SCRIPT";
  document.head.append(script);
</script>`;

const EMBEDDINGS: [how: string, body: string, options?: PageOptions][] = [
  ["in the head", FORM],
  ["blocking, before the markup", `<script src="SCRIPT"></script>${FORM}`, { head: "" }],
  ["after the markup", `${FORM}<script src="SCRIPT"></script>`, { head: "" }],
  ["as a module", FORM, { head: '<script type="module" src="SCRIPT"></script>' }],
  ["by a tag manager", FORM, { head: INSERTED }],
  ["on a page that freezes built-in prototypes", FORM, {
    head: `<script>for (const { prototype } of [Object, Array, Function]) Object.freeze(prototype)</script>
      <script async src="SCRIPT"></script>`,
  }],
  ["twice", FORM, { head: '<script async src="SCRIPT"></script><script src="SCRIPT?again"></script>' }],
  ["with a version in its URL", FORM, { head: '<script async src="SCRIPT?v=2#x"></script>' }],
  ["next to an element with the id cfbe", `<p id="cfbe"></p>${FORM}`],
  ["with a div, for editors that strip custom elements", '<div data-cfbe-form="footer">Soon</div>'],
];

for (const [how, body, options] of EMBEDDINGS) {
  browserTest(`works when embedded ${how}`, async () => {
    await using site = await open(body, options);
    await signUp(site);
    assert.equal(site.backend.signups[0]!.body.cfbe_cfg, "footer.cfg");
    assert.equal((await recordedEvents(site.page)).filter(({ type }) => type === "cfbe-ready").length, 1);
    assert.deepEqual(site.logs, []);
  });
}

for (const type of ["text/javascript", "module"]) {
  browserTest(`works under another file name, as ${type}, next to a script with a similar URL`, async () => {
    await using site = await open(FORM, {
      head: `<script type="${type}" async src="RENAMED"></script><script async src="RENAMED2"></script>`,
    });
    await signUp(site);
  });
}

browserTest(
  "works under the strictest content security policy with Trusted Types, without violations",
  async () => {
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
    assert.ok(width > 400, "the styles are applied");
    assert.deepEqual(await site.page.evaluate("violations"), []);
  },
);

browserTest(
  "works under a policy that allows only nonces: imported parts inherit the script's nonce",
  async () => {
    await using site = await open(FORM, {
      headers: { "content-security-policy": "script-src 'nonce-abc'" },
      head: '<script async nonce="abc" src="SCRIPT"></script>',
    });
    await signUp(site);
  },
);

browserTest("a hostile style sheet of the page does not affect the form", async () => {
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

browserTest("cfbe is the only global that is added to the page", async () => {
  await using site = await open(FORM, { head: "" });
  const names = () => site.page.evaluate(() => Object.getOwnPropertyNames(globalThis));
  const before = await names();
  await site.page.addScriptTag({ url: `${site.backend.base}/cfbe.js` });
  await site.page.getByLabel(en.form.emailLabel).waitFor();
  assert.deepEqual((await names()).filter((name) => !before.includes(name)), ["cfbe"]);
});
