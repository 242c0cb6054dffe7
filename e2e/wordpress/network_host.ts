/** The newsletter checkbox on the registration page of a network (multisite). */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { statusOf, visit, waitForStatus } from "../visitors.ts";
import { runCron, setApiToken, TEXT, waitingSignups } from "./checkboxes.ts";
import { activationLink, keepEmails, makeNetwork } from "./network.ts";
import { quoted } from "./site.ts";
import { hostTest, sharedStage } from "./stage.ts";

const stage = sharedStage();
Deno.test.beforeAll(async () => {
  const { site, reset } = stage();
  await setApiToken(site);
  await keepEmails(site);
  await makeNetwork(site);
  await reset();
  await site.php("return activate_plugin( 'cfbe/cfbe.php', '', true );");
});
Deno.test.beforeEach(() => stage().set({ checkboxes: { network_registration: { on: true, text: TEXT } } }));

const checkbox = (page: Page) => page.getByRole("checkbox", { name: TEXT });

/** Opens the registration page, and enters a username and an address. */
async function openRegistration(username: string): Promise<Page> {
  const { page } = await visit(stage().browser, `${stage().site.url}/wp-signup.php`);
  await page.locator("#user_name").fill(username);
  await page.locator("#user_email").fill(`${username}@example.com`);
  return page;
}

const next = (page: Page) => page.locator("#setupform [type=submit]").click();

/** Opens the link in the email about the registration. */
async function activate(page: Page, username: string): Promise<void> {
  await page.goto(await activationLink(stage().site, `${username}@example.com`));
  await page.getByText(/is now activ/).first().waitFor();
}

/** Returns everything that the registrations contain besides WordPress's own columns. */
const registrations = () =>
  stage().site.php<string>(
    'global $wpdb; return implode( "\\n", $wpdb->get_col( "SELECT meta FROM $wpdb->signups WHERE active = 1" ) );',
  );

hostTest(
  "someone who registers on a network and ticks the box signs up once the account is active",
  async () => {
    const { program, site } = stage();
    const page = await openRegistration("a b");
    assert.equal(await checkbox(page).isChecked(), false);
    await checkbox(page).check();
    await page.getByLabel("Just a username").check();
    await next(page);
    await page.locator(".error").first().waitFor();
    assert.ok(await checkbox(page).isChecked(), "stays ticked after an error");
    await page.locator("#user_name").fill("fern");
    await page.locator("#user_email").fill("fern@example.com");
    await next(page);
    await page.getByText("check your inbox", { exact: false }).first().waitFor();
    assert.equal(await waitingSignups(site), 0);
    await activate(page, "fern");
    assert.equal(await waitingSignups(site), 1);
    await runCron(site);
    await waitForStatus(program, "fern@example.com", "pending");
    const { record, consents: [consent] } = await statusOf(program, "fern@example.com");
    assert.deepEqual([record.source, consent!.text, consent!.ip], ["integration", TEXT, "127.0.0.1"]);
    assert.doesNotMatch(await registrations(), /cfbe/);
    assert.equal(await site.phpErrors(), "");
  },
);

hostTest(
  "someone who registers a site signs up, and the new site's options do not contain the opt-in",
  async () => {
    const { program, site } = stage();
    const page = await openRegistration("gail");
    await checkbox(page).check();
    await page.getByLabel("Gimme a site").check();
    await next(page);
    await page.locator("#blog_title").fill("Gail's site");
    await next(page);
    await page.getByText("check your inbox", { exact: false }).first().waitFor();
    await activate(page, "gail");
    await runCron(site);
    await waitForStatus(program, "gail@example.com", "pending");
    const options = await site.php<string[]>(
      `switch_to_blog( get_user_by( 'login', 'gail' )->primary_blog );
    global $wpdb;
    $options = $wpdb->get_col( "SELECT option_name FROM $wpdb->options WHERE option_name LIKE '%cfbe%'" );
    return array_merge( $options, array( (int) get_current_blog_id() > 1 ) );`,
    );
    assert.deepEqual(options, [true]);
    assert.doesNotMatch(await registrations(), /cfbe/);
    assert.equal(await site.phpErrors(), "");
  },
);

hostTest("someone who registers on a network without ticking the box is not signed up", async () => {
  const { site } = stage();
  const page = await openRegistration("hank");
  await page.getByLabel("Just a username").check();
  await next(page);
  await page.getByText("check your inbox", { exact: false }).first().waitFor();
  await activate(page, "hank");
  assert.equal(await waitingSignups(site), 0);
});

hostTest("an uninstall removes the opt-in of people who have not activated their account", async () => {
  const { site } = stage();
  const page = await openRegistration("iris");
  await checkbox(page).check();
  await page.getByLabel("Just a username").check();
  await next(page);
  await page.getByText("check your inbox", { exact: false }).first().waitFor();
  const registration = () =>
    site.php<string>(
      "global $wpdb; return $wpdb->get_var( \"SELECT meta FROM $wpdb->signups WHERE user_login = 'iris'\" );",
    );
  assert.match(await registration(), /_cfbe_opt_in.*Send me/);
  await site.php(
    "define( 'WP_UNINSTALL_PLUGIN', 'cfbe/cfbe.php' ); require WP_PLUGIN_DIR . '/cfbe/uninstall.php'; return true;",
  );
  assert.equal(await registration(), "a:0:{}");
});

hostTest(
  "a network has the checkbox if people can register and the plugin is active on the whole network",
  async () => {
    const { site } = stage();
    const available = (registration: string) =>
      site.php<boolean>(
        `update_site_option( 'registration', ${quoted(registration)} );
      return cfbe_checkbox_class( 'network_registration' )::is_available();`,
      );
    for (
      const [registration, expected] of [["none", false], ["blog", false], ["user", true], [
        "all",
        true,
      ]] as const
    ) {
      assert.equal(await available(registration), expected, registration);
    }
    await site.php("return deactivate_plugins( 'cfbe/cfbe.php', false, true );");
    await site.activate("cfbe/cfbe.php");
    assert.equal(await available("all"), false);
  },
);
