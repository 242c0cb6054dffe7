/** Who may see and change the plugin's settings, and what its connection check finds. */
import assert from "node:assert/strict";
import { API_TOKEN } from "../program.ts";
import { quoted } from "./site.ts";
import { logInTo } from "./log_in.ts";
import { hostTest, SALT, sharedStage } from "./stage.ts";

const stage = sharedStage();

const settingsPage = () => `${stage().site.url}/wp-admin/options-general.php?page=cfbe`;
const become = (role: string) =>
  stage().site.php(`return wp_update_user( array( 'ID' => 1, 'role' => '${role}' ) );`);
const tags = () => stage().site.php<string>("return cfbe_settings()['tags'];");

/** Another plugin's filter, for as long as it is in use. */
async function capabilityOf(capability: string): Promise<AsyncDisposable> {
  const file = `${stage().site.folder}/wp-content/mu-plugins/capability.php`;
  const filter = `add_filter( 'cfbe_capability', static function () { return '${capability}'; } );`;
  await Deno.writeTextFile(file, `<?php ${filter}`);
  return { [Symbol.asyncDispose]: () => Deno.remove(file) };
}

hostTest(
  "nobody below an admin sees the settings, or saves them from a page that was open before",
  async () => {
    const page = await logInTo(stage());
    await page.goto(settingsPage());
    await page.getByLabel("Tags", { exact: true }).fill("stolen");
    await become("editor");
    try {
      const saved = page.waitForResponse((response) => response.request().method() === "POST");
      await page.getByRole("button", { name: "Save Changes" }).click();
      assert.equal((await saved).status(), 403);
      assert.equal((await page.goto(settingsPage()))?.status(), 403);
      assert.equal(await tags(), "");
      const drawn = "ob_start(); cfbe_settings_page(); return ob_get_clean();";
      assert.equal(await stage().site.php(`wp_set_current_user( 1 ); ${drawn}`), "");
    } finally {
      await become("administrator");
    }
  },
);

hostTest("the filter cfbe_capability says who may see and save the settings", async () => {
  const page = await logInTo(stage());
  await become("editor");
  try {
    await using _ = await capabilityOf("edit_others_posts");
    await page.goto(settingsPage());
    await page.getByLabel("Tags", { exact: true }).fill("allowed");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await page.locator(".settings-error").first().waitFor();
    assert.equal(await tags(), "allowed");
  } finally {
    await become("administrator");
  }
  await using _ = await capabilityOf("nobody_has_this");
  assert.equal((await page.goto(settingsPage()))?.status(), 403);
});

hostTest("the connection is checked for its own button alone, not for a link from elsewhere", async () => {
  const page = await logInTo(stage());
  await page.goto(`${settingsPage()}&cfbe-check=1`);
  await page.getByText("The link you followed has expired.").waitFor();
  assert.equal(await page.getByText("The service answers at").count(), 0);
  await page.goto(settingsPage());
  await page.getByRole("link", { name: "Check the connection" }).click();
  await page.getByText("The service answers at").waitFor();
});

hostTest("without an address visitors see nothing, and an admin reads what is missing", async () => {
  const { site, set } = stage();
  await set({ address: "" });
  const url = await site.publish("unset", "Before [cfbe_form] after");
  assert.doesNotMatch(await (await fetch(url)).text(), /cfbe-form|cfbe\.js|no address/);
  const seen = (role: string) =>
    site.php<string[]>(
      `wp_set_current_user( wp_insert_user( array( 'user_login' => '${role}', 'user_pass' => 'x', 'role' => '${role}' ) ) );
      set_current_screen( 'plugins' );
      ob_start();
      cfbe_notice_without_address();
      return array( do_shortcode( '[cfbe_form]' ), ob_get_clean() );`,
    );
  const [form, notice] = await seen("administrator");
  assert.match(form!, /cfbe has no address yet/);
  assert.match(notice!, /needs the address/);
  assert.deepEqual(await seen("author"), ["", ""]);
});

/** A service that answers as it should, but for what a test changes. */
function service(site: string, changed: Record<string, () => Response>) {
  const asked: string[] = [];
  const noStore = { "cache-control": "no-store" };
  const answers: Record<string, () => Response> = {
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
    asked.push(pathname);
    return answers[pathname]?.() ?? new Response(null, { status: 404 });
  });
  return { address: `http://127.0.0.1:${server.addr.port}`, asked, stop: () => server.shutdown() };
}

const gone = () => new Response(null, { status: 404 });
const FAULTS: [string, Record<string, () => Response>, RegExp][] = [
  ["another service", { "/healthz": () => Response.json({ service: "other" }) }, /is no cfbe service/],
  ["no settings", { "/cfbe.json": gone }, /settings \(cfbe\.json\) can’t be read/],
  ["another origin", {
    "/cfbe.json": () =>
      Response.json({ popup: { rules: {} } }, {
        headers: { "access-control-allow-origin": "https://other.example" },
      }),
  }, /allows other origins/],
  ["no script", { "/cfbe.js": gone }, /cfbe\.js/],
  ["a page for a script", {
    "/cfbe.js": () => new Response("<html>", { headers: { "content-type": "text/html" } }),
  }, /not as a script/],
  ["no token", { "/wp-json/cfbe/v1/form-token": gone }, /gives out no form token/],
  ["a token that is kept", {
    "/wp-json/cfbe/v1/form-token": () =>
      Response.json({ token: "1.x" }, { headers: { "cache-control": "max-age=600" } }),
  }, /makes its form token cacheable/],
  ["no carts", { "/checkout-session": gone }, /takes no carts/],
  ["no popup", {
    "/cfbe.json": () => Response.json({}, { headers: { "access-control-allow-origin": "*" } }),
  }, /popup is switched off/],
];

hostTest("the connection check names each fault, and no other", async () => {
  const { site, set } = stage();
  await set({ salt: "", carts: true, sitewide: true });
  const findings = async (changed: Record<string, () => Response>) => {
    const { address, asked, stop } = service(site.url, changed);
    try {
      await set({ address });
      const all = await site.php<[string, string][]>("return cfbe_check_connection();");
      return { asked, wrong: all.filter(([kind]) => kind !== "success").map(([, text]) => text) };
    } finally {
      await stop();
    }
  };
  const good = await findings({});
  assert.equal(good.wrong.length, 1, good.wrong.join("\n"));
  assert.match(good.wrong[0]!, /Without the signing salt/);
  assert.deepEqual(good.asked.toSorted(), [
    "/cfbe.js",
    "/cfbe.json",
    "/checkout-session",
    "/healthz",
    "/wp-json/cfbe/v1/form-token",
  ]);
  for (const [name, changed, message] of FAULTS) {
    const { wrong } = await findings(changed);
    const found = wrong.filter((text) => !good.wrong.includes(text));
    assert.equal(found.length, 1, `${name}: ${found.join("\n")}`);
    assert.match(found[0]!, message);
  }
});

hostTest("on a site that is on https, a service on http is called a fault", async () => {
  await stage().set({ address: "http://news.example" });
  const finding = await stage().site.php(
    `add_filter( 'home_url', static function () { return 'https://shop.example'; } );
    return array( cfbe_check_scheme(), cfbe_site_origin() );`,
  );
  assert.deepEqual(finding, [
    ["error", "This site is on https and the service on http: browsers refuse to load it."],
    "https://shop.example",
  ]);
});

hostTest("the connection check says whether the salt and the API token are the service's", async () => {
  const { site, program, set } = stage();
  const texts = async (token: string) => {
    const found = await site.php<[string, string][]>(
      `define( 'CFBE_API_TOKEN', ${quoted(token)} ); return cfbe_check_connection();`,
    );
    return found.map(([kind, text]) => `${kind} ${text}`).join("\n");
  };
  assert.match(await texts("another"), /error The service refuses the API token/);
  const good = await texts(API_TOKEN);
  assert.match(good, /success The API token is the service’s/);
  assert.match(good, /success The signing salt is the service’s/);
  assert.ok(!good.includes(API_TOKEN) && !good.includes(SALT) && good.includes(program.baseUrl));
  await set({ salt: "x".repeat(40) });
  assert.match(await texts(API_TOKEN), /error The signing salt is not the service’s/);
});
