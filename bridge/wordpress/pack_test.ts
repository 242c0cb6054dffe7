import assert from "node:assert/strict";
import { unzipSync } from "fflate";
import { isTicked } from "../../server/shops/systems/reading.ts";
import {
  LOCALE_META,
  OPT_IN_META,
  OPT_IN_TEXT_META,
  SESSION_META,
} from "../../server/shops/systems/woocommerce/order.ts";
import { LOCALES } from "../../shared/texts/locales.ts";
import { packPlugin, pluginFiles } from "./pack.ts";
import { translate } from "./translations.ts";

const decoder = new TextDecoder();
const files = await pluginFiles();
const text = (path: string) => decoder.decode(files.get(`cfbe/${path}`));

/** Returns the texts that a PHP or JavaScript file passes to WordPress's translation functions. */
function translatableTexts(source: string): string[] {
  const calls = source.matchAll(
    /\b(?:__|esc_html__|esc_html_e|esc_attr__)\(\s*(?:'((?:\\.|[^'])*)'|"((?:\\.|[^"])*)")\s*,\s*['"]cfbe['"]/g,
  );
  const forSite = source.matchAll(/\bcfbe_in_site_language\(\s*'((?:\\.|[^'])*)'/g);
  return [...calls, ...forSite].map(([, single, double]) => (single ?? double)!.replaceAll("\\'", "'"));
}

Deno.test("the zip contains every file in one folder, as WordPress expects, and is byte-identical each time", async () => {
  const zip = await packPlugin();
  assert.deepEqual(zip, await packPlugin());
  const unpacked = unzipSync(zip);
  assert.deepEqual(Object.keys(unpacked).sort(), [...files.keys()].sort());
  for (const [path, bytes] of files) assert.deepEqual(unpacked[path], bytes, path);
  for (const needed of ["cfbe.php", "uninstall.php", "readme.txt", "block/block.json"]) {
    assert.ok(unpacked[`cfbe/${needed}`], needed);
  }
});

Deno.test("no PHP file does anything when its URL is requested directly", () => {
  for (const path of [...files.keys()].filter((path) => path.endsWith(".php"))) {
    const guard = path.endsWith("uninstall.php") ? "WP_UNINSTALL_PLUGIN" : "ABSPATH";
    const [first] = decoder.decode(files.get(path)).replace(/\/\*[\s\S]*?\*\//, "").split("\n").filter((
      line,
    ) => line.trim() && line !== "<?php");
    assert.equal(first, `defined( '${guard}' ) || exit;`, path);
  }
});

Deno.test("every file has the same version number", () => {
  const header = / \* Version: +(\S+)/.exec(text("cfbe.php"))?.[1];
  assert.ok(header);
  assert.ok(text("cfbe.php").includes(`'CFBE_PLUGIN_VERSION', '${header}'`));
  assert.equal(/^Stable tag: (\S+)$/m.exec(text("readme.txt"))?.[1], header);
  assert.equal(JSON.parse(text("block/block.json")).version, header);
});

/** Texts that visitors read. */
const FOR_VISITORS = [
  "Send me the newsletter by email. I can unsubscribe at any time.",
  "Subscribe to our newsletter",
  "Newsletter",
  "Text beside the newsletter checkbox",
  "Signups are stored on %s. Ask the owner of this site for a copy.",
  "When you sign up for the newsletter, your email address and any other information you enter in the form are sent to this site’s signup service. It stores a record of your consent, including your IP address.",
];

/** Languages in which only visitors read the plugin. Its settings are in English there. */
const VISITORS_ONLY = ["ca", "cs", "el", "fi", "he", "hu", "ja", "ko", "ro", "tr", "uk", "zh-CN", "zh-TW"];

const sources = new Set(
  [...files].filter(([path]) => /\.(php|js)$/.test(path))
    .flatMap(([, bytes]) => translatableTexts(decoder.decode(bytes))),
);
const placeholders = (text: string) => (text.match(/%(\d\$)?[sd]/g) ?? []).sort();

for (const locale of LOCALES.filter((locale) => locale !== "en")) {
  Deno.test(`no text that ${locale} needs is missing in the plugin, and no translation is unused`, () => {
    const { texts } = translate(text(`languages/cfbe-${locale.replace("-", "_")}.po`));
    const needed = VISITORS_ONLY.includes(locale) ? FOR_VISITORS : [...sources];
    assert.deepEqual(needed.filter((source) => !texts.get(source)), []);
    assert.deepEqual([...texts.keys()].filter((source) => !sources.has(source)), []);
    for (const [english, translated] of texts) {
      assert.deepEqual(placeholders(translated), placeholders(english), english);
    }
  });
}

Deno.test("the texts for visitors are texts of the plugin, and all texts are found in its files", () => {
  assert.ok(sources.size > 50);
  assert.deepEqual(FOR_VISITORS.filter((source) => !sources.has(source)), []);
});

Deno.test("the WooCommerce adapter reads the order metadata that the plugin writes", () => {
  assert.ok(isTicked("yes") && !isTicked("no"));
  assert.ok(text("includes/checkout-opt-in.php").includes(`'${OPT_IN_META}', $ticked ? 'yes' : 'no'`));
  assert.ok(text("includes/checkout-opt-in.php").includes(`'${LOCALE_META}'`));
  assert.ok(text("includes/checkout-opt-in.php").includes(`'${OPT_IN_TEXT_META}'`));
  assert.ok(text("includes/checkout-cart.php").includes(`'${SESSION_META}'`));
});
