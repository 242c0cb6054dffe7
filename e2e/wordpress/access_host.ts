/** Access to the plugin's settings page, and the results of its connection check. */
import assert from "node:assert/strict";
import { API_TOKEN } from "../program.ts";
import { quoted } from "./site.ts";
import { logIn } from "./log_in.ts";
import { hostTest, SALT, sharedStage } from "./stage.ts";

const stage = sharedStage();

const settingsPage = () => `${stage().site.url}/wp-admin/options-general.php?page=cfbe`;
const setRole = (role: string) =>
  stage().site.php(`return wp_update_user( array( 'ID' => 1, 'role' => '${role}' ) );`);
const tags = () => stage().site.php<string>("return cfbe_settings()['tags'];");

/** Requires another capability for the settings, until disposed. */
async function requireCapability(capability: string): Promise<AsyncDisposable> {
  const file = `${stage().site.folder}/wp-content/mu-plugins/capability.php`;
  const filter = `add_filter( 'cfbe_capability', static function () { return '${capability}'; } );`;
  await Deno.writeTextFile(file, `<?php ${filter}`);
  return { [Symbol.asyncDispose]: () => Deno.remove(file) };
}

hostTest(
  "users below admin can neither see the settings nor save them from a page opened earlier",
  async () => {
    const page = await logIn(stage());
    await page.goto(settingsPage());
    await page.getByLabel("Tags", { exact: true }).fill("stolen");
    await setRole("editor");
    try {
      const saved = page.waitForResponse((response) => response.request().method() === "POST");
      await page.getByRole("button", { name: "Save Changes" }).click();
      assert.equal((await saved).status(), 403);
      assert.equal((await page.goto(settingsPage()))?.status(), 403);
      assert.equal(await tags(), "");
      const render = "ob_start(); cfbe_settings_page(); return ob_get_clean();";
      assert.equal(await stage().site.php(`wp_set_current_user( 1 ); ${render}`), "");
    } finally {
      await setRole("administrator");
    }
  },
);

hostTest("the filter cfbe_capability decides who can see and save the settings", async () => {
  const page = await logIn(stage());
  await setRole("editor");
  try {
    await using _ = await requireCapability("edit_others_posts");
    await page.goto(settingsPage());
    await page.getByLabel("Tags", { exact: true }).fill("allowed");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await page.locator(".settings-error").first().waitFor();
    assert.equal(await tags(), "allowed");
  } finally {
    await setRole("administrator");
  }
  await using _ = await requireCapability("nobody_has_this");
  assert.equal((await page.goto(settingsPage()))?.status(), 403);
});

hostTest("only the page's own button runs the connection check, not a link from elsewhere", async () => {
  const page = await logIn(stage());
  await page.goto(`${settingsPage()}&cfbe-check=1`);
  await page.getByText("The link you followed has expired.").waitFor();
  assert.equal(await page.getByText("Connected to cfbe at").count(), 0);
  await page.goto(settingsPage());
  await page.getByRole("link", { name: "Check connection" }).click();
  await page.getByText("Connected to cfbe at").waitFor();
});

hostTest("without a server URL, visitors see no form, and admins see what is missing", async () => {
  const { site, set } = stage();
  await set({ address: "" });
  const url = await site.publish("unset", "Before [cfbe_form] after");
  assert.doesNotMatch(await (await fetch(url)).text(), /cfbe-form|cfbe\.js|Enter the URL/);
  const outputFor = (role: string) =>
    site.php<string[]>(
      `wp_set_current_user( wp_insert_user( array( 'user_login' => '${role}', 'user_pass' => 'x', 'role' => '${role}' ) ) );
      set_current_screen( 'plugins' );
      ob_start();
      cfbe_show_setup_notice();
      return array( do_shortcode( '[cfbe_form]' ), ob_get_clean() );`,
    );
  const [form, notice] = await outputFor("administrator");
  assert.match(form!, /Enter the URL of your cfbe server/);
  assert.match(notice!, /needs the URL/);
  assert.deepEqual(await outputFor("author"), ["", ""]);
});

/** Starts a server that responds like cfbe, except for the given paths. */
function serveFake(site: string, changed: Record<string, () => Response>) {
  const requested: string[] = [];
  const noStore = { "cache-control": "no-store" };
  const responses: Record<string, () => Response> = {
    "/healthz": () => Response.json({ service: "cfbe" }),
    "/cfbe.json": () =>
      Response.json({ popup: { rules: {} } }, { headers: { "access-control-allow-origin": site } }),
    "/cfbe.js": () => new Response("", { headers: { "content-type": "text/javascript" } }),
    "/wp-json/cfbe/v1/form-token": () => Response.json({ token: "1.x" }, { headers: noStore }),
    "/checkout-session": () => Response.json({}),
    ...changed,
  };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const { pathname } = new URL(request.url);
    requested.push(pathname);
    return responses[pathname]?.() ?? new Response(null, { status: 404 });
  });
  return { address: `http://127.0.0.1:${server.addr.port}`, requested, stop: () => server.shutdown() };
}

const notFound = () => new Response(null, { status: 404 });
const FAULTS: [string, Record<string, () => Response>, RegExp][] = [
  ["another service", { "/healthz": () => Response.json({ service: "other" }) }, /No cfbe server found/],
  ["no settings", { "/cfbe.json": notFound }, /\(cfbe\.json\) can’t be read/],
  ["another origin", {
    "/cfbe.json": () =>
      Response.json({ popup: { rules: {} } }, {
        headers: { "access-control-allow-origin": "https://other.example" },
      }),
  }, /does not allow this site’s origin/],
  ["no script", { "/cfbe.js": notFound }, /cfbe\.js/],
  ["a script that is HTML", {
    "/cfbe.js": () => new Response("<html>", { headers: { "content-type": "text/html" } }),
  }, /not served as JavaScript/],
  ["no token", { "/wp-json/cfbe/v1/form-token": notFound }, /No form token can be fetched/],
  ["a cacheable token", {
    "/wp-json/cfbe/v1/form-token": () =>
      Response.json({ token: "1.x" }, { headers: { "cache-control": "max-age=600" } }),
  }, /may store form tokens/],
  ["no carts", { "/checkout-session": notFound }, /does not accept carts/],
  ["no popup", {
    "/cfbe.json": () => Response.json({}, { headers: { "access-control-allow-origin": "*" } }),
  }, /popup does not open by itself/],
];

hostTest("the connection check reports each fault, and only that one", async () => {
  const { site, set } = stage();
  await set({ salt: "", carts: true, sitewide: true });
  const findings = async (changed: Record<string, () => Response>) => {
    const { address, requested, stop } = serveFake(site.url, changed);
    try {
      await set({ address });
      const all = await site.php<[string, string][]>("return cfbe_check_connection();");
      return { requested, problems: all.filter(([kind]) => kind !== "success").map(([, text]) => text) };
    } finally {
      await stop();
    }
  };
  const good = await findings({});
  assert.equal(good.problems.length, 1, good.problems.join("\n"));
  assert.match(
    good.problems[0]!,
    /This site has no valid key\..* Connect this site to cfbe, or set CFBE_SITE_KEY/,
  );
  assert.deepEqual(good.requested.toSorted(), [
    "/cfbe.js",
    "/cfbe.json",
    "/checkout-session",
    "/healthz",
    "/wp-json/cfbe/v1/form-token",
  ]);
  for (const [name, changed, message] of FAULTS) {
    const { problems } = await findings(changed);
    const found = problems.filter((text) => !good.problems.includes(text));
    assert.equal(found.length, 1, `${name}: ${found.join("\n")}`);
    assert.match(found[0]!, message);
  }
});

hostTest("the connection check reports a server with http on a site with https", async () => {
  await stage().set({ address: "http://news.example" });
  const finding = await stage().site.php(
    `add_filter( 'home_url', static function () { return 'https://shop.example'; } );
    return array( cfbe_check_scheme(), cfbe_site_origin() );`,
  );
  assert.deepEqual(finding, [
    [
      "error",
      "This site uses https, but the cfbe server uses http. Browsers block that: serve cfbe over https.",
    ],
    "https://shop.example",
  ]);
});

hostTest(
  "the connection check and signups use the origin that browsers send, whatever the site's URL looks like in WordPress",
  async () => {
    const { site } = stage();
    const urls = {
      "https://Shop.Example": "https://shop.example",
      "https://shop.example:443/blog": "https://shop.example",
      "http://SHOP.example:80": "http://shop.example",
      "http://shop.example:443": "http://shop.example:443",
      "https://shop.example:8443": "https://shop.example:8443",
      "https://Müller.example": "https://xn--mller-kva.example",
      "https://xn--mller-kva.example": "https://xn--mller-kva.example",
    };
    for (const [url, origin] of Object.entries(urls)) {
      const found = await site.php(
        `add_filter( 'home_url', static function () { return ${quoted(url)}; } );
        cfbe_queue_signup( 'ann@example.com', 'Text', '', 'en_US' );
        list( $option ) = cfbe_waiting_signups();
        $signup = get_option( $option )['signup'];
        cfbe_cancel_signups();
        delete_option( $option );
        return array( cfbe_check_origin( cfbe_site_origin(), ${quoted(origin)} ), $signup['origin'] );`,
      );
      assert.deepEqual(found, [null, origin], url);
    }
  },
);

hostTest("the connection check reports whether the salt and the API token match the server's", async () => {
  const { site, program, set } = stage();
  const texts = async (token: string) => {
    const found = await site.php<[string, string][]>(
      `define( 'CFBE_API_TOKEN', ${quoted(token)} ); return cfbe_check_connection();`,
    );
    return found.map(([kind, text]) => `${kind} ${text}`).join("\n");
  };
  assert.match(await texts("another"), /error cfbe rejected the API token/);
  const good = await texts(API_TOKEN);
  assert.match(good, /success The API token is valid/);
  assert.match(good, /success The signing salt matches/);
  assert.ok(!good.includes(API_TOKEN) && !good.includes(SALT) && good.includes(program.baseUrl));
  await set({ salt: "x".repeat(40) });
  assert.match(await texts(API_TOKEN), /error The signing salt does not match/);
});
