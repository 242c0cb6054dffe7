/** Forms on cached pages of a real WordPress, in a real browser, with the real server. */
import assert from "node:assert/strict";
import { confirm, signUp, statusOf, visit, waitForStatus } from "../visitors.ts";
import { createKeyring } from "../../server/platform/keys/keyring.ts";
import { readFormConfig } from "../../server/forms/public/signed_config.ts";
import { quoted } from "./site.ts";
import { hostTest, SALT, sharedStage } from "./stage.ts";

const stage = sharedStage();

const PAGES = {
  shortcode:
    `<!-- wp:shortcode -->[cfbe_form tags="vip, spring" placement="landing" heading="News for you"]` +
    `<!-- /wp:shortcode -->`,
  block: `<!-- wp:cfbe/form {"tags":"vip, spring","placement":"landing","heading":"News for you"} /-->`,
};

for (const [source, content] of Object.entries(PAGES)) {
  hostTest(
    `a signup from a ${source} on a cached page becomes active, with the tags that WordPress signed`,
    async () => {
      const { program, site, browser } = stage();
      const url = await site.publish("news", content);
      const [first, second] = [await visit(browser, url), await visit(browser, url)];
      assert.equal(first.headers["x-cache"], "MISS");
      assert.equal(second.headers["x-cache"], "HIT");
      assert.equal(first.html, second.html);
      assert.equal(first.html.match(/<script[^>]* async[^>]*\/cfbe\.js/g)?.length, 1);

      await second.page.getByRole("heading", { name: "News for you" }).waitFor();
      const email = `${source}@example.com`;
      await signUp(second, email);
      await waitForStatus(program, email, "pending");
      await confirm(program, email);
      await waitForStatus(program, email, "active");
      const { record } = await statusOf(program, email);
      assert.equal(record.source, source);
      assert.deepEqual(record.tags, ["vip", "spring", "placement-landing"]);
      assert.deepEqual(second.console, []);
      assert.equal(await site.phpErrors(), "");
    },
  );
}

hostTest("several forms on a page load one script, and each works independently", async () => {
  const { program, site, browser } = stage();
  const url = await site.publish("two", `[cfbe_form form="footer"] ${PAGES.block} [cfbe_form tags="third"]`);
  const visitor = await visit(browser, url);
  assert.equal(visitor.html.match(/\/cfbe\.js/g)?.length, 1);
  assert.equal(visitor.html.match(/<cfbe-form/g)?.length, 3);
  const last = visitor.page.locator("cfbe-form").last();
  await last.getByLabel("Email address").fill("ann@example.com");
  await last.getByRole("button", { name: "Subscribe" }).click();
  await visitor.page.getByText("please check your inbox").last().waitFor();
  await waitForStatus(program, "ann@example.com", "pending");
  assert.deepEqual((await statusOf(program, "ann@example.com")).record.tags, ["third"]);
});

hostTest(
  "without JavaScript, the form is a link to its own page, with the same signed configuration",
  async () => {
    const { program, site, browser } = stage();
    const url = await site.publish("plain", `[cfbe_form tags="plain" link="Sign up here"]`);
    const context = await browser.newContext({ javaScriptEnabled: false, locale: "en" });
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole("link", { name: "Sign up here" }).click();
    await page.getByLabel("Email address").fill("ben@example.com");
    await page.waitForTimeout(3_000); // The minimum age of a form token.
    await page.getByRole("button", { name: "Subscribe" }).click();
    await page.getByText("check your inbox").waitFor();
    assert.deepEqual((await statusOf(program, "ben@example.com")).record.tags, ["plain"]);
  },
);

hostTest("cfbe verifies configurations signed by PHP, whatever they contain", async () => {
  const { site } = stage();
  const configs = [
    { list: "65f0", tags: ["a", "b c"], placement: "landing", form: "footer" },
    { tags: ["Grüße", "日本語"], placement: `"quoted" \\ / <b> & 'x' 😀` },
    { list: "x".repeat(200) },
  ];
  const keyring = createKeyring([SALT]);
  for (const config of configs) {
    const code = `return cfbe_signed_config( json_decode( ${quoted(JSON.stringify(config))}, true ) );`;
    assert.deepEqual(readFormConfig(keyring, await site.php(code)), config);
    const forged = createKeyring(["another salt, and as long as that one is"]);
    assert.equal(readFormConfig(forged, await site.php(code)), undefined);
  }
  const foreign = (await stage().program.json<{ cfg: string }>("/cfbe.json")).cfg;
  const isSigned = (cfg: string, salt: string) =>
    site.php(`return cfbe_is_signed_config( ${quoted(cfg)}, ${quoted(salt)} );`);
  assert.equal(await isSigned(foreign, SALT), true);
  assert.equal(await isSigned(foreign, `${SALT}!`), false);
  assert.equal(await isSigned(`${foreign}A`, SALT), false);
});

for (const [kind, form] of [["form", "[cfbe_form]"], ["block", "<!-- wp:cfbe/form /-->"]] as const) {
  hostTest(`a default ${kind} in a column narrower than the page moves nothing when it appears`, async () => {
    const { site, browser } = stage();
    const url = await site.publish(
      "column",
      `<!-- wp:html --><div style="width:386px">${form}<p id="after">After</p></div><!-- /wp:html -->`,
    );
    const page = await (await browser.newContext({ locale: "en" })).newPage();
    const { promise: placed, resolve: place } = Promise.withResolvers<void>();
    await page.route("**/cfbe.js", async (route) => {
      await placed;
      await route.continue();
    });
    await page.goto(url, { waitUntil: "commit" });
    const top = async () => (await page.locator("#after").boundingBox())!.y;
    await page.evaluate(() => document.fonts.ready);
    const before = await top();
    place();
    await page.getByRole("button", { name: "Subscribe" }).waitFor();
    assert.equal(await top(), before);
    await page.context().close();
  });
}

hostTest("a form in a row is as wide as there is room, and never wider than the page", async () => {
  const { site, browser } = stage();
  const url = await site.publish(
    "row",
    `<!-- wp:group {"layout":{"type":"flex"}} --><div class="wp-block-group"><p>News</p>` +
      `<!-- wp:cfbe/form /-->[cfbe_form]</div><!-- /wp:group -->`,
  );
  for (const [width, least] of [[1280, 480], [390, 280]] as const) {
    const page = await (await browser.newContext({ locale: "en", viewport: { width, height: 800 } }))
      .newPage();
    await page.goto(url);
    await page.getByRole("button", { name: "Subscribe" }).nth(1).waitFor();
    for (const form of await page.locator("cfbe-form").all()) {
      assert.ok((await form.boundingBox())!.width >= least, `${width} px`);
    }
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width);
    await page.context().close();
  }
});

hostTest("after a signup from the keyboard, the theme draws no outline around the form", async () => {
  const { site, browser } = stage();
  // As in the global styles of later versions of WordPress.
  const theme = "<style>:where(.wp-site-blocks *:focus) { outline: 2px solid; }</style>";
  const url = await site.publish("focus", `<!-- wp:html -->${theme}[cfbe_form]<!-- /wp:html -->`);
  const visitor = await visit(browser, url);
  const { page } = visitor;
  await page.getByLabel("Email address").fill("kay@example.com");
  await page.keyboard.press("Enter");
  await page.getByText("please check your inbox").waitFor();
  const [name, outline] = await page.evaluate(() => {
    const form = document.activeElement!;
    return [form.localName, getComputedStyle(form).outlineStyle];
  });
  assert.deepEqual([name, outline], ["cfbe-form", "none"]);
});

hostTest("hostile attributes neither become markup nor exceed the size of a signup request", async () => {
  const { site } = stage();
  const hostile = `"><script>alert(1)</script>`;
  const render = (attributes: Record<string, string>) =>
    site.php<string>(
      `return cfbe_form_markup( json_decode( ${
        quoted(JSON.stringify(attributes))
      }, true ), 'shortcode', true );`,
    );
  const names = [
    "form",
    "list",
    "tags",
    "placement",
    "heading",
    "text",
    "button",
    "theme",
    "success_url",
    "link",
  ];
  const markup = await render(Object.fromEntries(names.map((name) => [name, hostile])));
  assert.doesNotMatch(markup, /<script/);
  assert.match(
    markup,
    /^<span class="cfbe-column"><cfbe-form [^<>]*><a href="[^"<>]*">[^<>]*<\/a><\/cfbe-form><\/span>$/,
  );

  const many = await render({
    tags: Array.from({ length: 60 }, (_, i) => `tag-${i}-${"x".repeat(40)}`).join(","),
  });
  const cfg = / cfg="([^"]+)"/.exec(many)![1];
  assert.equal(readFormConfig(createKeyring([SALT]), cfg)!.tags!.length, 20);
});

hostTest("with the popup on, every page loads the script; without the plugin, none does", async () => {
  const { site, set } = stage();
  const scriptCount = async () =>
    (await (await fetch(`${site.url}/`)).text()).match(/<script[^>]*cfbe\.js/g)?.length;
  assert.equal(await scriptCount(), undefined);
  await set({ sitewide: true });
  assert.equal(await scriptCount(), 1);
  await site.php("deactivate_plugins( 'cfbe/cfbe.php' );");
  assert.equal(await scriptCount(), undefined);
});
