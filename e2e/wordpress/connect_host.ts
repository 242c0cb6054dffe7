/** Connecting a real WordPress with one click: what both sides have then, and what keeps others out. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { ADMIN_PASSWORD } from "../admin_pages.ts";
import { run } from "../process.ts";
import { waitUntil } from "../program.ts";
import { signUp, statusOf, visit, waitForStatus } from "../visitors.ts";
import { logIn } from "./log_in.ts";
import { hostTest, SALT, sharedStage } from "./stage.ts";

const STAND_IN = fileURLToPath(new URL("woocommerce_stand_in", import.meta.url));
const PICTURES = Deno.env.get("CFBE_TEST_SCREENSHOTS");

const stage = sharedStage({ CFBE_ADMIN_PASSWORD: ADMIN_PASSWORD });

interface ListedSite {
  id: string;
  url: string;
  scopes: string[];
  modules: string[];
  revokedAt?: number;
  usedAt?: number;
}

const sites = async (): Promise<ListedSite[]> =>
  JSON.parse(await stage().program.cfbe("sites", "list", "--json"));
const settingsUrl = () => `${stage().site.url}/wp-admin/options-general.php?page=cfbe`;
const connection = () =>
  stage().site.php<{ key: string; token: string; webhook: { url: string; secret: string } | null } | null>(
    "return cfbe_connection();",
  );
const webhooks = () =>
  stage().site.php<Record<string, string>[]>(
    "return array_values( get_option( 'stand_in_webhooks', array() ) );",
  );
const noticeOf = (page: Page) => page.locator("#wpbody .notice").allInnerTexts();

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/wordpress-${name}.png`, fullPage: true });
}

/** Chooses the button in WordPress, signs in to cfbe, and returns on the page that asks. */
async function ask(server?: string): Promise<Page> {
  const page = await logIn(stage());
  await page.goto(settingsUrl());
  if (server !== undefined) await page.getByLabel("Server URL").first().fill(server);
  await picture(page, server === undefined ? "move" : "new");
  await page.getByRole("button", { name: "Connect to cfbe" }).click();
  await page.getByLabel("Name").fill("admin");
  await page.getByLabel("Password", { exact: true }).fill(ADMIN_PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Connect a site" }).waitFor();
  return page;
}

async function agree(page: Page): Promise<void> {
  await page.getByRole("button", { name: `Connect ${stage().site.url}` }).click();
  await page.waitForURL((url) => url.href === settingsUrl());
}

hostTest(
  "a new WordPress is connected with one click, its shop included, and stores no secret in the clear",
  async () => {
    const { site, program, browser } = stage();
    await run("cp", ["-r", STAND_IN, `${site.folder}/wp-content/plugins/`]);
    await site.activate("woocommerce_stand_in/woocommerce.php");
    await site.php("return delete_option( 'cfbe_settings' );");
    // What was set up by hand before is replaced.
    await site.php(
      `$webhook = new WC_Webhook();
    $webhook->set_topic( 'order.updated' );
    $webhook->set_delivery_url( '${program.baseUrl}/shop-hook/woocommerce' );
    $webhook->save();`,
    );
    const page = await ask(program.baseUrl);
    assert.equal(await page.locator(".site-name strong").innerText(), site.url);
    await agree(page);
    assert.match((await noticeOf(page)).join("\n"), /Connected to cfbe at http:\/\/localhost:\d+\./);
    await picture(page, "connected");
    assert.ok(!page.url().includes("code="));

    const [listed] = await sites();
    assert.deepEqual([listed!.url, listed!.scopes, listed!.modules], [site.url, ["read", "signup"], [
      "checkout",
    ]]);
    const stored = (await connection())!;
    const dump = await site.php<string>(
      "global $wpdb; return wp_json_encode( $wpdb->get_results( \"SELECT option_value FROM $wpdb->options WHERE option_name LIKE '%cfbe%'\" ) );",
    );
    for (const secret of [stored.key, stored.token]) {
      assert.ok(!dump.includes(secret.slice(-43)), "in the database, only encrypted");
    }
    const settings = await site.php<Record<string, unknown>>("return cfbe_settings();");
    assert.deepEqual([settings["address"], settings["salt"], settings["opt_in"], settings["carts"]], [
      program.baseUrl,
      "",
      true,
      false,
    ]);
    assert.match(String(settings["opt_in_label"]), /newsletter by email/);
    const sent = await webhooks();
    assert.deepEqual(sent.map(({ topic }) => topic).toSorted(), [
      "order.created",
      "order.deleted",
      "order.updated",
    ]);
    for (const webhook of sent) {
      assert.deepEqual([webhook["status"], webhook["delivery_url"], webhook["secret"]], [
        "active",
        `${program.baseUrl}/shop-hook/woocommerce?site=${listed!.id}`,
        stored.webhook!.secret,
      ]);
    }
    const { shop } = await program.setting<{ shop: string }>("checkout");
    assert.equal(shop, "woocommerce");
    assert.equal(await program.setting("general.modules.checkout"), true);

    const errors = await site.php<unknown[]>(
      "return array_values( array_filter( cfbe_check_connection(), static function ( $finding ) { return 'success' !== $finding[0]; } ) );",
    );
    assert.deepEqual(errors, []);
    const visitor = await visit(
      browser,
      await site.publish("own-key", `[cfbe_form tags="vip" placement="top"]`),
    );
    await signUp(visitor, "ann@example.com");
    await waitForStatus(program, "ann@example.com", "pending");
    assert.deepEqual((await statusOf(program, "ann@example.com")).record.tags, ["vip", "placement-top"]);
    assert.equal(await site.phpErrors(), "");
  },
);

hostTest(
  "without keys of its own in wp-config.php, or with the sample text, WordPress's page says what to set",
  async () => {
    const { site } = stage();
    const path = `${site.folder}/wp-config.php`;
    const config = await Deno.readTextFile(path);
    const page = await logIn(stage());
    const without = config.replace("'SECURE_AUTH_KEY', ", "").replace("'SECURE_AUTH_SALT', ", "");
    const withKeys = (keys: string) => without.replace("$table_prefix", `${keys}\n$table_prefix`);
    const sample = "'put your unique phrase here'";
    const rows: [what: string, config: string, warns: boolean][] = [
      ["both keys", config, false],
      ["no key", without, true],
      [
        "the sample text",
        withKeys(`define( 'SECURE_AUTH_KEY', ${sample} ); define( 'SECURE_AUTH_SALT', ${sample} );`),
        true,
      ],
      [
        "one key, which is enough",
        withKeys("define( 'SECURE_AUTH_KEY', 'a text of this site alone' );"),
        false,
      ],
    ];
    try {
      for (const [what, text, warns] of rows) {
        await Deno.writeTextFile(path, text);
        await page.goto(settingsUrl());
        const notices = (await noticeOf(page)).join("\n");
        assert.equal(
          /In wp-config\.php, set SECURE_AUTH_KEY and SECURE_AUTH_SALT/.test(notices),
          warns,
          what,
        );
        if (warns) await picture(page, "key-warning");
      }
    } finally {
      await Deno.writeTextFile(path, config);
    }
    assert.equal(await site.phpErrors(), "");
  },
);

hostTest(
  "a site with the salt is moved over with one click, and cfbe then empties its page cache with its own key",
  async () => {
    const { site, program } = stage();
    assert.equal((await site.php<{ salt: string }>("return cfbe_settings();")).salt, SALT);
    const before = await site.publish("moved", `[cfbe_form tags="vip"]`);
    const signedBySalt = await (await fetch(before)).text();
    await agree(await ask());
    assert.equal((await site.php<{ salt: string }>("return cfbe_settings();")).salt, "");
    const [, cfg] = /cfg="([^"]+)"/.exec(await (await fetch(before)).text()) ?? [];
    assert.match(cfg ?? "", /^[\w-]+\.[0-9a-f]{10}\.[\w-]{43}$/, "cached pages are renewed");
    assert.match(signedBySalt, /cfg="[\w-]+\.[\w-]{43}"/);

    const cached = async () => {
      const response = await fetch(before);
      await response.text();
      return response.headers.get("x-cache");
    };
    await cached();
    assert.equal(await cached(), "HIT");
    await program.cfbe("settings", "set", "form.nameField", "optional");
    await waitUntil("cfbe has emptied the cache", 10_000, async () => await cached() === "MISS");
    assert.doesNotMatch(program.log(), /purge\.failed/);
    const bySalt = await fetch(`${site.url}/wp-json/cfbe-bridge/v1/purge`, { method: "POST", body: "{}" });
    assert.equal(bySalt.status, 401);
    await bySalt.body?.cancel();
    assert.equal(await site.phpErrors(), "");
  },
);

hostTest("a site that cfbe has revoked says so, and can be connected again with another key", async () => {
  const { site, program } = stage();
  await agree(await ask());
  const first = (await connection())!;
  await program.cfbe("sites", "revoke", site.url, "--yes");
  await site.php("do_action( 'cfbe_check_signups' );");
  const page = await logIn(stage());
  await page.goto(settingsUrl());
  await page.getByText("This site is not connected any more").first().waitFor();
  await picture(page, "revoked");
  await page.goto(`${site.url}/wp-admin/index.php`);
  assert.match(await page.locator(".notice-error").first().innerText(), /not connected any more/);
  await page.goto(settingsUrl());
  await page.getByRole("button", { name: "Connect to cfbe" }).waitFor();
  await agree(await ask());
  assert.notEqual((await connection())!.key, first.key);
  await page.goto(settingsUrl());
  await page.getByRole("button", { name: "Disconnect" }).waitFor();
});

hostTest("WordPress disconnects itself at cfbe, and deletes its webhooks", async () => {
  const { site } = stage();
  await run("cp", ["-r", STAND_IN, `${site.folder}/wp-content/plugins/`]);
  await site.activate("woocommerce_stand_in/woocommerce.php");
  await agree(await ask());
  const id = (await connection())!.key.split("_")[2];
  const page = await logIn(stage());
  await page.goto(settingsUrl());
  await page.getByRole("button", { name: "Disconnect" }).click();
  await page.getByText("Disconnected. cfbe has revoked").waitFor();
  assert.equal(await connection(), null);
  assert.ok((await sites()).find((each) => each.id === id)?.revokedAt);
  assert.deepEqual(await webhooks(), []);
  assert.equal(await site.phpErrors(), "");
});

hostTest("after cfbe has rotated its keys, WordPress stores the current one within an hour", async () => {
  const { site } = stage();
  await agree(await ask());
  const current = (await connection())!;
  await site.php(
    `$facts = cfbe_connection();
    $facts['key'] = substr( $facts['key'], 0, -43 ) . str_repeat( 'A', 43 );
    cfbe_store_connection( $facts['server'], $facts, $facts['time'] );`,
  );
  assert.notEqual((await connection())!.key, current.key);
  await site.php("do_action( 'cfbe_check_signups' );");
  assert.deepEqual(await connection(), current);
});

/** Adds PHP code to every request of WordPress while a test does something. */
async function withCode(code: string, act: () => Promise<void>): Promise<void> {
  const file = `${stage().site.folder}/wp-content/mu-plugins/connect_test.php`;
  await Deno.writeTextFile(file, `<?php ${code}`);
  try {
    await act();
  } finally {
    await Deno.remove(file);
  }
}

const saltOf = async () => (await stage().site.php<{ salt: string }>("return cfbe_settings();")).salt;

hostTest("an exchange whose answer is lost is repeated, and connects the site once", async () => {
  const { site } = stage();
  await withCode(
    `add_filter( 'http_response', static function ( $response, $arguments, $url ) {
      static $lost = 0;
      return strpos( $url, '/connect/token' ) && $lost++ < 2 ? new WP_Error( 'lost', 'The answer is lost.' ) : $response;
    }, 10, 3 );`,
    async () => await agree(await ask()),
  );
  const connected = (await sites()).filter(({ url, revokedAt }) => url === site.url && !revokedAt);
  assert.equal(connected.length, 1);
  assert.equal(await site.php("return cfbe_refresh_connection();"), true);
});

for (const dies of ["add_option_cfbe_connection", "update_option_cfbe_settings"]) {
  hostTest(`a WordPress that dies in ${dies} is connected when the page is loaded again`, async () => {
    const { site } = stage();
    const page = await ask();
    const back = page.waitForRequest((request) => request.url().includes("code="));
    await withCode(`add_action( '${dies}', static function () { die( 'It has died.' ); }, 1 );`, async () => {
      await page.getByRole("button", { name: `Connect ${site.url}` }).click();
      await page.getByText("It has died.").waitFor();
    });
    await page.goto((await back).url());
    assert.match((await noticeOf(page)).join("\n"), /Connected to cfbe at/);
    assert.equal(await saltOf(), "");
    assert.equal(await site.php("return cfbe_refresh_connection();"), true);
  });
}

hostTest("a salt that was left behind when a process died is removed within an hour", async () => {
  const { site, set } = stage();
  await agree(await ask());
  await set({ salt: SALT });
  await site.php("do_action( 'cfbe_check_signups' );");
  assert.equal(await saltOf(), "");
});

hostTest(
  "an answer that nobody has asked for, of another server, or without a yes, connects nothing",
  async () => {
    const { site, program } = stage();
    const page = await logIn(stage());
    /** Without when each was last used, which requests of an earlier test may still change. */
    const connected = async () => (await sites()).map(({ usedAt: _, ...site }) => site);
    const before = await connected();
    const answer = async (query: Record<string, string>) => {
      await page.goto(`${settingsUrl()}&${new URLSearchParams(query)}`);
      return (await noticeOf(page)).join("\n");
    };
    const unasked = { code: "a", state: "a-state-of-someone-else", iss: program.baseUrl };
    assert.match(await answer(unasked), /not made here, or is too old/);

    /** Begins, and returns the state that cfbe was given. */
    const begin = async () => {
      await page.goto(settingsUrl());
      const asked = page.waitForURL(/\/admin\/connect/);
      await page.getByRole("button", { name: "Connect to cfbe" }).click();
      await asked;
      return new URL(page.url()).searchParams;
    };
    const asked = await begin();
    assert.equal(asked.get("code_challenge_method"), "S256");
    assert.ok(!asked.toString().includes("verifier"));
    const state = asked.get("state")!;
    assert.match(await answer({ code: "a", state, iss: "http://localhost:9" }), /came from another server/);
    assert.match(await answer({ code: "a", state, iss: program.baseUrl }), /not made here/, "it has ended");
    const denied = (await begin()).get("state")!;
    assert.match(
      await answer({ error: "access_denied", state: denied, iss: program.baseUrl }),
      /Nobody has agreed/,
    );
    const invented = (await begin()).get("state")!;
    assert.match(
      await answer({ code: "invented", state: invented, iss: program.baseUrl }),
      /wrong, used or too old/,
    );
    assert.equal(await connection(), null);
    assert.deepEqual(await connected(), before);

    for (const action of ["cfbe_connect", "cfbe_disconnect"]) {
      const response = await page.request.post(`${site.url}/wp-admin/admin-post.php`, { form: { action } });
      assert.equal(response.status(), 403, "without a nonce");
    }
    assert.equal(await site.phpErrors(), "");
  },
);

hostTest("a token that was issued by one server is sent to no other", async () => {
  const { set } = stage();
  await agree(await ask());
  await set({ address: "http://localhost:9" });
  assert.equal(await connection(), null);
  assert.equal(await stage().site.php("return cfbe_api_token();"), "");
});

hostTest("a key and a token in wp-config.php sign and call as those of a connection do", async () => {
  const { site, program, set } = stage();
  const defines = await program.cfbe("sites", "add", "https://by-hand.example");
  const file = `${site.folder}/wp-content/mu-plugins/site_key.php`;
  await Deno.writeTextFile(file, `<?php ${defines}`);
  try {
    assert.match(
      await site.php<string>("return cfbe_signed_config( array( 'tags' => array( 'a' ) ) );"),
      /\.[0-9a-f]{10}\./,
    );
    const texts = () =>
      site.php<string>("return implode( ' ', array_column( cfbe_check_connection(), 1 ) );");
    assert.match(await texts(), /The API token is valid/);
    assert.match(await texts(), /has a key of its own\. Remove the stored salt:/);
    await set({ salt: "" });
    assert.match(await texts(), /signs its forms with a key of its own\./);
    await Deno.writeTextFile(file, `<?php ${defines} define( 'CFBE_SALT', '${SALT}' );`);
    assert.match(await texts(), /has a key of its own\. Remove CFBE_SALT from wp-config\.php:/);
  } finally {
    await Deno.remove(file);
  }
});
