/** Forms on pages of a real WordPress that nginx has kept, against the real program, in a real browser. */
import assert from "node:assert/strict";
import { becomes, confirm, signsUp, statusOf, visit } from "../hosts/visitors.ts";
import { createKeyring } from "../../server/keys/keyring.ts";
import { readFormConfig } from "../../server/signup/form/signed_config.ts";
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
    `an address goes from a ${source} on a cached page to active, with what WordPress signed`,
    async () => {
      const { program, site, browser } = stage();
      const url = await site.publish("news", content);
      const [first, second] = [await visit(browser, url), await visit(browser, url)];
      assert.equal(first.headers["x-cache"], "MISS");
      assert.equal(second.headers["x-cache"], "HIT");
      assert.equal(first.bytes, second.bytes);
      assert.equal(first.bytes.match(/<script[^>]* async[^>]*\/cfbe\.js/g)?.length, 1);

      await second.page.getByRole("heading", { name: "News for you" }).waitFor();
      const email = `${source}@example.com`;
      await signsUp(second, email);
      await becomes(program, email, "pending");
      await confirm(program, email);
      await becomes(program, email, "active");
      const { record } = await statusOf(program, email);
      assert.equal(record.source, source);
      assert.deepEqual(record.tags, ["vip", "spring", "placement-landing"]);
      assert.deepEqual(second.said, []);
      assert.equal(await site.complaints(), "");
    },
  );
}

hostTest("several forms on a page load one script, and each works for itself", async () => {
  const { program, site, browser } = stage();
  const url = await site.publish("two", `[cfbe_form form="footer"] ${PAGES.block} [cfbe_form tags="third"]`);
  const visitor = await visit(browser, url);
  assert.equal(visitor.bytes.match(/\/cfbe\.js/g)?.length, 1);
  assert.equal(visitor.bytes.match(/<cfbe-form/g)?.length, 3);
  const last = visitor.page.locator("cfbe-form").last();
  await last.getByLabel("Email address").fill("ann@example.com");
  await last.getByRole("button", { name: "Subscribe" }).click();
  await visitor.page.getByText("please check your inbox").last().waitFor();
  await becomes(program, "ann@example.com", "pending");
  assert.deepEqual((await statusOf(program, "ann@example.com")).record.tags, ["third"]);
});

hostTest("where no script runs, the form is a link to its own page, signed as the form is", async () => {
  const { program, site, browser } = stage();
  const url = await site.publish("plain", `[cfbe_form tags="plain" link="Sign up here"]`);
  const context = await browser.newContext({ javaScriptEnabled: false, locale: "en" });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole("link", { name: "Sign up here" }).click();
  await page.getByLabel("Email address").fill("ben@example.com");
  await page.waitForTimeout(3_000); // What the contract asks of everybody.
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByText("check your inbox").waitFor();
  assert.deepEqual((await statusOf(program, "ben@example.com")).record.tags, ["plain"]);
});

hostTest("what PHP signs is what the service verifies, whatever is in it", async () => {
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
  const known = (cfg: string, salt: string) =>
    site.php(`return cfbe_is_signed_config( ${quoted(cfg)}, ${quoted(salt)} );`);
  assert.equal(await known(foreign, SALT), true);
  assert.equal(await known(foreign, `${SALT}!`), false);
  assert.equal(await known(`${foreign}A`, SALT), false);
});

hostTest("hostile attributes become neither markup nor more than a signup can carry", async () => {
  const { site } = stage();
  const hostile = `"><script>alert(1)</script>`;
  const draw = (attributes: Record<string, string>) =>
    site.php<string>(
      `return cfbe_form_markup( json_decode( ${quoted(JSON.stringify(attributes))}, true ), 'shortcode' );`,
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
  const markup = await draw(Object.fromEntries(names.map((name) => [name, hostile])));
  assert.doesNotMatch(markup, /<script/);
  assert.match(markup, /^<cfbe-form [^<>]*><a href="[^"<>]*">[^<>]*<\/a><\/cfbe-form>$/);

  const many = await draw({
    tags: Array.from({ length: 60 }, (_, i) => `tag-${i}-${"x".repeat(40)}`).join(","),
  });
  const cfg = / cfg="([^"]+)"/.exec(many)![1];
  assert.equal(readFormConfig(createKeyring([SALT]), cfg)!.tags!.length, 20);
});

hostTest("with Popup on, every page loads the script, and without the plugin none does", async () => {
  const { site, set } = stage();
  const script = async () =>
    (await (await fetch(`${site.url}/`)).text()).match(/<script[^>]*cfbe\.js/g)?.length;
  assert.equal(await script(), undefined);
  await set({ sitewide: true });
  assert.equal(await script(), 1);
  await site.php("deactivate_plugins( 'cfbe/cfbe.php' );");
  assert.equal(await script(), undefined);
});
