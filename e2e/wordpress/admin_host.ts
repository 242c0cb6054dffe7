/** The settings page, in a real browser; what the service may ask of the plugin; and taking it away again. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { createHmac, hkdfSync } from "node:crypto";
import { loadConfigFile } from "../../server/hooks/config_file.ts";
import { startProgram } from "../../server/testing/program.ts";
import { eventually } from "../program.ts";
import { run } from "./process.ts";
import type { Site } from "./site.ts";
import { logInTo } from "./log_in.ts";
import { hostTest, SALT, sharedStage } from "./stage.ts";

const stage = sharedStage();

const logIn = () => logInTo(stage());

const notices = (page: Page) => page.locator(".notice.inline, .settings-error").allInnerTexts();

const cached = async (url: string) => {
  const response = await fetch(url);
  // To its end: nginx keeps no page whose visitor has left.
  await response.text();
  return response.headers.get("x-cache");
};

hostTest(
  "the settings page saves what makes sense, says what does not, and never shows the salt",
  async () => {
    const { program, site } = stage();
    const page = await logIn();
    const save = async (fields: Record<string, string>) => {
      await page.goto(`${site.url}/wp-admin/options-general.php?page=cfbe`);
      for (const [label, value] of Object.entries(fields)) {
        await page.getByLabel(label, { exact: true })
          .fill(value);
      }
      await page.getByRole("button", { name: "Save Changes" }).click();
      await page.locator(".settings-error").first().waitFor();
      return (await notices(page)).join("\n");
    };

    const good = await save({
      "Address": `${program.baseUrl}/`,
      "Signing salt": SALT,
      "Tags": "vip, spring",
    });
    assert.match(good, /The service answers at http:\/\/localhost:\d+\./);
    assert.match(good, /The signing salt is the service’s\./);
    assert.match(good, /Forms that a page may name: footer/);
    assert.doesNotMatch(good, /Wrong:/);
    assert.ok(!(await page.content()).includes(SALT));

    assert.match(await save({ "Signing salt": "x".repeat(40) }), /Wrong:.*not the service’s/);
    assert.match(await save({ "Signing salt": "short" }), /32 characters or more/);
    assert.match(await save({ "Address": "javascript:alert(1)" }), /must look like/);
    assert.match(await save({ "Tags": "fine, <b>not</b>" }), /left out: <b>not<\/b>/);
    assert.match(await save({ "Address": site.url }), /is no cfbe service/);
    assert.match(await save({ "Address": "http://localhost:9" }), /does not answer/);
    const kept = await site.php<Record<string, unknown>>("return cfbe_settings();");
    assert.deepEqual([kept["salt"], kept["tags"]], ["x".repeat(40), "fine"]);
    assert.equal(await site.complaints(), "");
  },
);

hostTest("saving empties the page cache", async () => {
  const { site, set } = stage();
  const url = await site.publish("cached-1", "[cfbe_form]");
  assert.deepEqual([await cached(url), await cached(url)], ["MISS", "HIT"]);
  await set({ tags: "new" });
  assert.equal(await cached(url), "MISS");
});

hostTest("the first save empties the page cache, and so does the deactivation", async () => {
  const { site, program, set } = stage();
  const url = await site.publish("cached-4", "[cfbe_form]");
  await site.php("return delete_option( 'cfbe_settings' );");
  assert.deepEqual([await cached(url), await cached(url)], ["MISS", "HIT"]);
  await set({ address: program.baseUrl });
  assert.deepEqual([await cached(url), await cached(url)], ["MISS", "HIT"]);
  await site.php("deactivate_plugins( 'cfbe/cfbe.php' );");
  assert.equal(await cached(url), "MISS");
});

/** The documentation's config file, for this site. */
async function documentedConfig(site: Site): Promise<string> {
  const page = await Deno.readTextFile(new URL("../../docs/wordpress.md", import.meta.url));
  const source = /```ts\n([\s\S]*?)```/.exec(page)![1]!;
  const path = `${site.folder}/../cfbe.config.ts`;
  await Deno.writeTextFile(path, source.replace("https://shop.example", site.url));
  return path;
}

hostTest("saving a tab in the service empties the page cache, by the documented config file", async () => {
  const { site } = stage();
  const url = await site.publish("cached-2", "[cfbe_form]");
  assert.deepEqual([await cached(url), await cached(url)], ["MISS", "HIT"]);
  Deno.env.set("CFBE_SALT", SALT);
  const file = await loadConfigFile(await documentedConfig(site));
  await using program = await startProgram({ file });
  await program.services.settings.save("form", { texts: { button: "Join" } });
  await eventually("the cache is empty", 5_000, async () => await cached(url) === "MISS");
  assert.deepEqual(program.lines.filter((line) => line.includes("hook.")), []);
});

hostTest("a purge that is not signed, or not now, is refused and empties nothing", async () => {
  const { site, set } = stage();
  const url = await site.publish("cached-3", "[cfbe_form]");
  await cached(url);
  const ask = async (salt: string, age = 0, sent = "{}") => {
    const time = String(Math.floor(Date.now() / 1000) - age);
    const key = new Uint8Array(hkdfSync("sha256", salt, "", "cfbe/purge", 32));
    const signature = createHmac("sha256", key).update(`${time}.{}`).digest("base64url");
    const response = await fetch(`${site.url}/wp-json/cfbe-bridge/v1/purge`, {
      method: "POST",
      headers: { "x-cfbe-timestamp": time, "x-cfbe-signature": signature },
      body: sent,
    });
    return [response.status, (await response.json()).emptied];
  };
  for (
    const refused of [
      await ask("another"),
      await ask(SALT, 310),
      await ask(SALT, -310),
      await ask(SALT, 0, "[]"),
    ]
  ) {
    assert.deepEqual(refused, [401, undefined]);
  }
  const bare = await fetch(`${site.url}/wp-json/cfbe-bridge/v1/purge`, { method: "POST" });
  await bare.body?.cancel();
  assert.equal(bare.status, 401);
  assert.equal(await cached(url), "HIT");
  assert.deepEqual(await ask(SALT, 290), [200, ["Nginx Helper"]]);
  assert.equal(await cached(url), "MISS");
  await set({ salt: "" });
  assert.deepEqual(await ask(""), [503, undefined]);
});

hostTest("a page cache whose purge fails keeps no other from being emptied", async () => {
  const emptied = await stage().site.php(
    `function wp_cache_clear_cache() { throw new Exception( 'full' ); }
    function rocket_clean_domain() { $GLOBALS['rocket'] = true; }
    add_action( 'cfbe_purge_page_cache', static function () { $GLOBALS['own'] = true; } );
    return array( cfbe_purge_page_caches(), $GLOBALS['rocket'], $GLOBALS['own'] );`,
  );
  assert.deepEqual(emptied, [["WP Rocket", "Nginx Helper"], true, true]);
  assert.match(await stage().site.complaints(), /WP Super Cache could not be emptied: full/);
});

hostTest("in a German WordPress the plugin speaks German, in PHP and in the editor", async () => {
  const { site } = stage();
  const said = await site.php<string[]>(
    `add_filter( 'locale', static function () { return 'de_DE'; } );
    unload_textdomain( 'cfbe' ); cfbe_load_textdomain();
    return array( __( 'Signing salt', 'cfbe' ), load_script_textdomain( 'cfbe-form-editor', 'cfbe', WP_PLUGIN_DIR . '/cfbe/languages' ) );`,
  );
  assert.equal(said[0], "Signatur-Salt");
  assert.equal(JSON.parse(said[1]!).locale_data.cfbe["Where signups go"][0], "Wohin Anmeldungen gehen");
});

hostTest("the block can be put into a page in the editor, and is there on the page", async () => {
  const { site } = stage();
  const page = await logIn();
  await page.goto(`${site.url}/wp-admin/post-new.php?post_type=page`);
  await page.evaluate(() => {
    const { data, blocks } = (globalThis as unknown as { wp: { data: Wp["data"]; blocks: Wp["blocks"] } }).wp;
    data.dispatch("core/edit-post").toggleFeature?.("welcomeGuide");
    data.dispatch("core/block-editor").insertBlocks!(blocks.createBlock("cfbe/form", { form: "footer" }));
    data.dispatch("core/editor").editPost!({ title: "By hand", status: "publish" });
  });
  await page.getByText("The form “footer” shows here on the page.").waitFor();
  await page.evaluate(() =>
    (globalThis as unknown as { wp: Wp }).wp.data.dispatch("core/editor").savePost!() as Promise<void>
  );
  const html = await (await fetch(`${site.url}/by-hand/`)).text();
  assert.match(html, /<div class="[^"]*wp-block-cfbe-form[^"]*"><cfbe-form form="footer" source="block">/);
});

/** What the test uses of the editor's scripts. */
interface Wp {
  data: { dispatch(store: string): Record<string, ((...args: unknown[]) => unknown) | undefined> };
  blocks: { createBlock(name: string, attributes: unknown): unknown };
}

hostTest("every PHP file can be read by PHP", async () => {
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

// The last: afterwards there is no plugin.
hostTest("deleting the plugin leaves none of its settings behind", async () => {
  const left = await stage().site.php(
    `deactivate_plugins( 'cfbe/cfbe.php' );
    delete_plugins( array( 'cfbe/cfbe.php' ) );
    global $wpdb;
    return array( file_exists( WP_PLUGIN_DIR . '/cfbe' ), $wpdb->get_col( "SELECT option_name FROM $wpdb->options WHERE option_name LIKE '%cfbe%'" ) );`,
  );
  assert.deepEqual(left, [false, []]);
});
