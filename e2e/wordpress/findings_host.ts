/** Settings of the plugin that cfbe would ignore or refuse: where an admin sees them, and what becomes of signups. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { visit, waitForStatus } from "../visitors.ts";
import { run } from "../process.ts";
import { setApiToken, TEXT, waitingSignups } from "./checkboxes.ts";
import { logIn } from "./log_in.ts";
import { hostTest, sharedStage } from "./stage.ts";

const STAND_IN = fileURLToPath(new URL("woocommerce_stand_in", import.meta.url));
const COMMENTS = { comments: { on: true, text: TEXT } };

const stage = sharedStage();

/** Runs the hourly check, and returns its errors by the setting that they are about. */
const hourlyErrors = () =>
  stage().site.php<Record<string, string>>(
    `do_action( 'cfbe_check_signups' );
    $errors = array_filter( get_option( 'cfbe_findings' ), static function ( $finding ) { return 'error' === $finding[0]; } );
    return (object) array_column( $errors, 1, 2 );`,
  );

const settingsUrl = () => `${stage().site.url}/wp-admin/options-general.php?page=cfbe`;

hostTest(
  "without an API token, a checkbox that could sign nobody up is not shown, and wp-admin says why",
  async () => {
    const { site, set, browser } = stage();
    await set({ checkboxes: COMMENTS });
    const post = await site.php<string>(
      "return get_permalink( wp_insert_post( array( 'post_status' => 'publish', 'post_title' => 'A post', 'post_content' => 'Text', 'comment_status' => 'open' ) ) );",
    );
    const { page: visitor } = await visit(browser, post);
    await visitor.locator("#comment").waitFor();
    assert.equal(await visitor.getByRole("checkbox", { name: TEXT }).count(), 0);

    const page = await logIn(stage());
    await page.goto(settingsUrl());
    await page.getByRole("button", { name: "Save Changes" }).click();
    const missing = /not shown, because cfbe’s API token is missing/;
    await page.locator(".form-table").first().waitFor();
    assert.match(await page.locator("form[action='options.php']").innerText(), missing);
    await page.goto(`${site.url}/wp-admin/index.php`);
    assert.match(await page.locator(".notice-error").first().innerText(), missing);
    const health = await site.php<{ status: string; description: string }>("return cfbe_health();");
    assert.equal(health.status, "critical");
    assert.match(health.description, missing);
    assert.equal(await site.phpErrors(), "");
  },
);

hostTest(
  "a list, a form, a module or a shop that cfbe does not have is reported beside its field, every hour",
  async () => {
    const { site, set, program } = stage();
    await setApiToken(site);
    await run("cp", ["-r", STAND_IN, `${site.folder}/wp-content/plugins/`]);
    await site.activate("woocommerce_stand_in/woocommerce.php");
    await set({
      list: "gone",
      checkboxes: COMMENTS,
      checkbox_form: "gone",
      carts: true,
      opt_in: true,
      opt_in_label: TEXT,
    });
    const errors = await hourlyErrors();
    assert.match(errors["list"]!, /does not know the list gone/);
    assert.match(errors["checkbox_form"]!, /no published form “gone”/);
    assert.match(errors["carts"]!, /Turn on “Abandoned cart emails”/);
    assert.match(errors["opt_in"]!, /Orders do not reach cfbe/);

    const page = await logIn(stage());
    await page.goto(settingsUrl());
    const fieldOf = (label: string) => page.locator("tr", { has: page.getByLabel(label, { exact: true }) });
    assert.match(await fieldOf("List").innerText(), /does not know the list gone/);
    assert.deepEqual(await page.getByLabel("Form", { exact: true }).locator("option").allInnerTexts(), [
      "Default form",
      "footer",
      "gone (not in cfbe)",
    ]);

    await program.cfbe("settings", "set", "general.modules.carts", "true");
    await program.cfbe("settings", "set", "general.modules.checkout", "true");
    await program.cfbe("settings", "set", "checkout.shop", "woocommerce");
    await site.php(
      `$webhook = new WC_Webhook();
      $webhook->set_topic( 'order.updated' );
      $webhook->set_delivery_url( '${program.baseUrl}/shop-hook/woocommerce' );
      $webhook->set_status( 'active' );
      $webhook->save();`,
    );
    await page.getByLabel("List", { exact: true }).selectOption({ index: 0 });
    await page.getByLabel("Form", { exact: true }).selectOption("footer");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await page.locator(".settings-error").first().waitFor();
    const { opt_in: refused, ...others } = await hourlyErrors();
    assert.match(refused!, /refuses all orders, because it has no secret/);
    assert.deepEqual(others, {});
    await set({ carts: false, opt_in: false });
    assert.deepEqual(await hourlyErrors(), {});
    assert.equal((await site.php<{ status: string }>("return cfbe_health();")).status, "good");
    assert.equal(await site.phpErrors(), "");
  },
);

hostTest(
  "a signup for a form that cfbe does not have waits, and arrives once another form is chosen",
  async () => {
    const { site, set, program } = stage();
    await set({ checkboxes: COMMENTS, checkbox_form: "gone" });
    const send = () =>
      site.php("foreach ( cfbe_waiting_signups() as $option ) { cfbe_send_signup( $option ); }");
    await site.php("return cfbe_queue_signup( 'ann@example.com', 'Text', '', 'en_US' );");
    await send();
    assert.equal(await waitingSignups(site), 1);
    await set({ checkbox_form: "footer" });
    await send();
    await waitForStatus(program, "ann@example.com", "pending");
    assert.equal(await waitingSignups(site), 0);
    assert.equal(await site.php("return get_option( CFBE_SIGNUP_FAILURES );"), false);
  },
);

hostTest("a form with a required field is reported for checkboxes, which can't fill it in", async () => {
  const { set, program } = stage();
  await program.cfbe("settings", "set", "form.nameField", "required");
  await set({ checkboxes: COMMENTS });
  assert.match(
    (await hourlyErrors())["checkbox_form"]!,
    /required fields that a checkbox can’t fill in: name/,
  );
});

hostTest("lost signups are reported in wp-admin until an admin has seen them", async () => {
  const { site } = stage();
  await site.php("cfbe_count_failed_signup( 'A reason.' ); cfbe_refresh_findings();");
  const page = await logIn(stage());
  await page.goto(`${site.url}/wp-admin/index.php`);
  assert.match(
    await page.locator(".notice-error").first().innerText(),
    /could not be sent to cfbe: 1.* A reason\./,
  );
  await page.goto(settingsUrl());
  await page.getByRole("link", { name: "Stop reporting lost signups" }).click();
  await page.getByText("Connected to cfbe").waitFor();
  await page.goto(`${site.url}/wp-admin/index.php`);
  assert.doesNotMatch(await page.content(), /could not be sent to cfbe/);
});
