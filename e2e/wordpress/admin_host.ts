/** The settings page in a real browser, page cache purges, translations, and uninstalling. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { createHmac, hkdfSync } from "node:crypto";
import { startProgram } from "../../dev/testing/program.ts";
import { waitUntil } from "../program.ts";
import { run } from "../process.ts";
import { logIn } from "./log_in.ts";
import { hostTest, SALT, sharedStage } from "./stage.ts";

const stage = sharedStage();

const notices = (page: Page) => page.locator(".notice.inline, .settings-error").allInnerTexts();

const settingsUrl = () => `${stage().site.url}/wp-admin/options-general.php?page=cfbe`;
const storedSettings = () => stage().site.php<Record<string, unknown>>("return cfbe_settings();");

/** Saves the settings page, and returns what it then says. */
async function submit(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.locator(".settings-error").first().waitFor();
  return (await notices(page)).join("\n");
}

const cacheStatus = async (url: string) => {
  const response = await fetch(url);
  // nginx stores only responses that are read to the end.
  await response.text();
  return response.headers.get("x-cache");
};

hostTest(
  "the settings page saves valid values, reports invalid ones, and never shows the salt",
  async () => {
    const { program, site } = stage();
    const page = await logIn(stage());
    const save = async (fields: Record<string, string>) => {
      await page.goto(settingsUrl());
      for (const [label, value] of Object.entries(fields)) {
        await page.getByLabel(label, { exact: true })
          .fill(value);
      }
      return await submit(page);
    };

    const good = await save({
      "Server URL": `${program.baseUrl}/`,
      "Signing salt": SALT,
      "Tags": "vip, spring",
    });
    assert.match(good, /Connected to cfbe at http:\/\/localhost:\d+\./);
    assert.match(good, /The signing salt matches the cfbe server\./);
    assert.match(good, /Available forms: footer/);
    assert.doesNotMatch(good, /Error:/);
    assert.ok(!(await page.content()).includes(SALT));

    assert.match(await save({ "Signing salt": "x".repeat(40) }), /Error:.*does not match/);
    assert.match(await save({ "Signing salt": "short" }), /at least 32 characters/);
    assert.match(await save({ "Server URL": "javascript:alert(1)" }), /Enter a URL such as/);
    assert.match(await save({ "Tags": "fine, <b>not</b>" }), /removed: <b>not<\/b>/);
    assert.match(await save({ "Server URL": site.url }), /No cfbe server found/);
    assert.match(await save({ "Server URL": "http://localhost:9" }), /Could not reach/);
    const stored = await storedSettings();
    assert.deepEqual([stored["salt"], stored["tags"]], ["x".repeat(40), "fine"]);
    assert.equal(await site.phpErrors(), "");
  },
);

hostTest("a site without a salt is asked for none, and stores none that is sent", async () => {
  const { site, program } = stage();
  await site.php("return delete_option( 'cfbe_settings' );");
  const page = await logIn(stage());
  // The option does not exist before the first save.
  for (const _ of ["the first save", "the second save"]) {
    await page.goto(settingsUrl());
    const form = page.locator("form[action='options.php']");
    assert.equal(await page.getByLabel("Signing salt").count(), 0);
    assert.match(
      await form.innerText(),
      /Connection by hand\s+Add this site on the Connected sites page .* wp-config\.php: define\( 'CFBE_SITE_KEY', '…' \);/,
    );
    await form.evaluate((element, salt) => {
      element.insertAdjacentHTML("beforeend", `<input name="cfbe_settings[salt]" value="${salt}">`);
    }, SALT);
    await page.locator("#cfbe_address").fill(program.baseUrl);
    await submit(page);
    const { address, salt } = await storedSettings();
    assert.deepEqual([address, salt], [program.baseUrl, ""]);
  }
  assert.equal(await site.phpErrors(), "");
});

hostTest("a site that has a salt can remove it, also with a key in wp-config.php", async () => {
  const { site, program, set } = stage();
  const file = `${site.folder}/wp-content/mu-plugins/site_key.php`;
  const page = await logIn(stage());
  const defines = await program.cfbe("sites", "add", "https://by-hand.example");
  try {
    for (const constants of ["", defines]) {
      await Deno.writeTextFile(file, `<?php ${constants}`);
      await set({ salt: SALT });
      await page.goto(settingsUrl());
      assert.equal(await page.getByText("CFBE_SITE_KEY").count(), 0);
      await page.getByLabel("Remove stored salt").check();
      await submit(page);
      assert.equal((await storedSettings())["salt"], "");
      assert.equal(await page.getByText("Signing salt", { exact: true }).count(), 0);
    }
    await Deno.writeTextFile(file, `<?php define( 'CFBE_SALT', '${SALT}' );`);
    await page.goto(settingsUrl());
    assert.equal(await page.getByText("Set in wp-config.php as CFBE_SALT.").count(), 1);
  } finally {
    await Deno.remove(file);
  }
});

hostTest(
  "the URL of cfbe's admin counts as that of cfbe, and a local one without a scheme as http",
  async () => {
    const given = [
      "https://news.example/admin",
      "news.example/path/admin/general",
      "news.example/administration",
      "localhost:8000",
      "127.0.0.1:8000/admin/",
      "localhost.example",
    ];
    assert.deepEqual(
      await stage().site.php(
        `return array_map( 'cfbe_clean_url', json_decode( '${JSON.stringify(given)}' ) );`,
      ),
      [
        "https://news.example",
        "https://news.example/path",
        "https://news.example/administration",
        "http://localhost:8000",
        "http://127.0.0.1:8000",
        "https://localhost.example",
      ],
    );
  },
);

hostTest("saving the settings empties the page cache", async () => {
  const { site, set } = stage();
  const url = await site.publish("cached-1", "[cfbe_form]");
  assert.deepEqual([await cacheStatus(url), await cacheStatus(url)], ["MISS", "HIT"]);
  await set({ tags: "new" });
  assert.equal(await cacheStatus(url), "MISS");
});

hostTest("the first save empties the page cache, and so does deactivating the plugin", async () => {
  const { site, program, set } = stage();
  const url = await site.publish("cached-4", "[cfbe_form]");
  await site.php("return delete_option( 'cfbe_settings' );");
  assert.deepEqual([await cacheStatus(url), await cacheStatus(url)], ["MISS", "HIT"]);
  await set({ address: program.baseUrl });
  assert.deepEqual([await cacheStatus(url), await cacheStatus(url)], ["MISS", "HIT"]);
  await site.php("deactivate_plugins( 'cfbe/cfbe.php' );");
  assert.equal(await cacheStatus(url), "MISS");
});

hostTest("with the URL that the plugin shows, saving settings in cfbe empties the page cache", async () => {
  const { site } = stage();
  const url = await site.publish("cached-2", "[cfbe_form]");
  const admin = await logIn(stage());
  await admin.goto(settingsUrl());
  const shown = (await admin.locator("#cfbe-purge-url").textContent())!;
  assert.deepEqual([await cacheStatus(url), await cacheStatus(url)], ["MISS", "HIT"]);
  await using program = await startProgram({ env: { CFBE_SALT: SALT } });
  await program.services.settings.save("general", { purgeUrls: [shown] });
  await program.services.settings.save("form", { texts: { button: "Join" } });
  await waitUntil("the cache is empty", 5_000, async () => await cacheStatus(url) === "MISS");
  assert.deepEqual(program.lines.filter((line) => line.includes("purge.failed")), []);
});

hostTest("an unsigned or outdated purge request is rejected and empties nothing", async () => {
  const { site, set } = stage();
  const url = await site.publish("cached-3", "[cfbe_form]");
  await cacheStatus(url);
  const requestPurge = async (salt: string, age = 0, sent = "{}") => {
    const time = String(Math.floor(Date.now() / 1000) - age);
    const key = new Uint8Array(hkdfSync("sha256", salt, "", "cfbe/purge", 32));
    const signature = createHmac("sha256", key).update(`${time}.{}`).digest("base64url");
    const response = await fetch(`${site.url}/wp-json/cfbe-bridge/v1/purge`, {
      method: "POST",
      headers: { "x-cfbe-timestamp": time, "x-cfbe-signature": signature },
      body: sent,
    });
    const { emptied, message } = await response.json();
    return [response.status, emptied ?? message];
  };
  for (
    const rejected of [
      await requestPurge("another"),
      await requestPurge(SALT, 310),
      await requestPurge(SALT, -310),
      await requestPurge(SALT, 0, "[]"),
    ]
  ) {
    assert.deepEqual(rejected, [401, "The signature or timestamp is invalid."]);
  }
  const unsigned = await fetch(`${site.url}/wp-json/cfbe-bridge/v1/purge`, { method: "POST" });
  await unsigned.body?.cancel();
  assert.equal(unsigned.status, 401);
  assert.equal(await cacheStatus(url), "HIT");
  assert.deepEqual(await requestPurge(SALT, 290), [200, ["Nginx Helper"]]);
  assert.equal(await cacheStatus(url), "MISS");
  await set({ salt: "" });
  assert.deepEqual(await requestPurge(""), [503, "This site has no valid key."]);
});

hostTest("if one page cache can't be emptied, the others still are", async () => {
  const emptied = await stage().site.php(
    `function wp_cache_clear_cache() { throw new Exception( 'full' ); }
    function rocket_clean_domain() { $GLOBALS['rocket'] = true; }
    add_action( 'cfbe_purge_page_cache', static function () { $GLOBALS['own'] = true; } );
    return array( cfbe_purge_page_caches(), $GLOBALS['rocket'], $GLOBALS['own'] );`,
  );
  assert.deepEqual(emptied, [["WP Rocket", "Nginx Helper"], true, true]);
  assert.match(await stage().site.phpErrors(), /WP Super Cache could not be emptied: full/);
});

hostTest(
  "each locale of WordPress reads the language that fits it best, in PHP and in the editor",
  async () => {
    const { site } = stage();
    const inLocale = (locale: string) =>
      site.php<[string, string | false]>(
        `$GLOBALS['locale'] = '${locale}';
      add_filter( 'locale', static function () { return '${locale}'; } );
      unload_textdomain( 'cfbe' ); cfbe_load_textdomain();
      return array( __( 'Subscribe to our newsletter', 'cfbe' ), load_script_textdomain( 'cfbe-form-editor', 'cfbe', WP_PLUGIN_DIR . '/cfbe/languages' ) );`,
      );
    const expected = {
      de_DE: "Unseren Newsletter abonnieren",
      de_DE_formal: "Unseren Newsletter abonnieren",
      de_AT: "Unseren Newsletter abonnieren",
      de_CH_informal: "Unseren Newsletter abonnieren",
      fr_CA: "S’inscrire à notre newsletter",
      nn_NO: "Meld deg på nyhetsbrevet vårt",
      zh_HK: "訂閱我們的電子報",
      zh_SG: "订阅我们的新闻通讯",
      cs_CZ: "Odebírat náš newsletter",
      hu_HU: "Feliratkozás a hírlevelünkre",
      lv: "Subscribe to our newsletter",
    };
    for (const [locale, link] of Object.entries(expected)) {
      const [text, editor] = await inLocale(locale);
      assert.equal(text, link, locale);
      assert.equal(editor === false, locale === "lv", locale);
    }
    const [, editor] = await inLocale("de_DE_formal");
    assert.equal(
      JSON.parse(editor as string).locale_data.cfbe["Signup destination"][0],
      "Ziel der Anmeldungen",
    );
  },
);

hostTest("a checkbox has a text in the language of the site, whichever its admin reads", async () => {
  const texts = (site: string, user: string) =>
    stage().site.php<string[]>(
      `add_filter( 'locale', static function () { return '${site}'; } );
      add_filter( 'pre_determine_locale', static function () { return '${user}'; } );
      unload_textdomain( 'cfbe' ); cfbe_load_textdomain();
      return array( __( 'Signing salt', 'cfbe' ), cfbe_default_checkbox_text() );`,
    );
  const german = "Senden Sie mir den Newsletter per E-Mail. Ich kann mich jederzeit abmelden.";
  const english = "Send me the newsletter by email. I can unsubscribe at any time.";
  assert.deepEqual(await texts("de_AT", "en_US"), ["Signing salt", german]);
  assert.deepEqual(await texts("en_US", "de_DE"), ["Signatur-Salt", english]);
});

hostTest("every PHP file has valid syntax", async () => {
  const files = async (folder: string): Promise<string[]> => {
    const found: string[] = [];
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      if (isDirectory) found.push(...await files(`${folder}/${name}`));
      else if (name.endsWith(".php")) found.push(`${folder}/${name}`);
    }
    return found;
  };
  const all = [
    ...await files(new URL("../../bridge/wordpress/plugin", import.meta.url).pathname),
    ...await files(new URL(".", import.meta.url).pathname),
  ];
  assert.ok(all.length > 15);
  for (const file of all) assert.match(await run("php", ["-l", file]), /^No syntax errors/);
});

// Must be the last test, because it deletes the plugin.
hostTest("deleting the plugin deletes all of its settings", async () => {
  const remaining = await stage().site.php(
    `deactivate_plugins( 'cfbe/cfbe.php' );
    delete_plugins( array( 'cfbe/cfbe.php' ) );
    global $wpdb;
    return array( file_exists( WP_PLUGIN_DIR . '/cfbe' ), $wpdb->get_col( "SELECT option_name FROM $wpdb->options WHERE option_name LIKE '%cfbe%'" ) );`,
  );
  assert.deepEqual(remaining, [false, []]);
});
