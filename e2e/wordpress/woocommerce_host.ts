/**
 * The checkout in a real WooCommerce. No package provides one, so these tests run only if `CFBE_TEST_WOOCOMMERCE`
 * is its folder, and `CFBE_TEST_WORDPRESS` the folder of a WordPress that it supports.
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { OrderSchema } from "../../server/shops/systems/order.ts";
import { readWooOrder } from "../../server/shops/systems/woocommerce/order.ts";
import { statusOf, waitForStatus } from "../visitors.ts";
import { waitUntil } from "../program.ts";
import { setApiToken } from "./checkboxes.ts";
import { WOOCOMMERCE } from "./folders.ts";
import { run } from "../process.ts";
import { hostTest, sharedStage } from "./stage.ts";

const LABEL = "Send me news";
const SECRET = "a secret for the tests of webhooks";

if (WOOCOMMERCE) {
  const stage = sharedStage({
    CFBE_CONFIG: await configWithShop(),
    CFBE_SHOP: "woocommerce",
    CFBE_SHOP_SECRET: SECRET,
  });

  /**
   * Sets up a shop with one product and cash on delivery.
   *
   * @param checkout content of the checkout page; without one, it is the page that WooCommerce creates
   * @returns ID of the product, a mug
   */
  const openShop = async (checkout?: string): Promise<number> => {
    const { site, set, program } = stage();
    await program.cfbe("settings", "set", "general.origins", JSON.stringify([new URL(site.url).origin]));
    await run("cp", ["-rn", WOOCOMMERCE!, `${site.folder}/wp-content/plugins/`]);
    await site.activate("woocommerce/woocommerce.php");
    await set({ carts: true, opt_in: true, opt_in_label: LABEL });
    const page = checkout && await site.publish(`checkout-${crypto.randomUUID()}`, checkout);
    const mug = await site.php<number>(
      `WC_Install::install();
      WC_Install::create_pages();
      foreach ( array( 'created', 'updated', 'deleted' ) as $event ) {
        $webhook = new WC_Webhook();
        $webhook->set_topic( "order.$event" );
        $webhook->set_status( 'active' );
        $webhook->set_delivery_url( '${program.baseUrl}/shop-hook/woocommerce' );
        $webhook->save();
      }
      update_option( 'woocommerce_coming_soon', 'no' );
      update_option( 'woocommerce_currency', 'EUR' );
      update_option( 'woocommerce_store_address', '1 Street' );
      update_option( 'woocommerce_default_country', 'DE:DE-BE' );
      update_option( 'woocommerce_cod_settings', array( 'enabled' => 'yes', 'title' => 'Cash' ) );
      ${
        page
          ? `update_option( 'woocommerce_checkout_page_id', url_to_postid( '${page}' ) );`
          : "update_option( 'woocommerce_checkout_page_id', get_page_by_path( 'checkout' )->ID );"
      }
      $mug = new WC_Product_Simple();
      $mug->set_name( 'A <b>mug</b> &amp; more' );
      $mug->set_regular_price( '9.50' );
      $mug->set_virtual( true );
      $mug->save();
      return $mug->get_id();`,
    );
    // WooCommerce warns about itself while it is installed.
    await site.forgetPhpErrors();
    return mug;
  };

  /** Returns the newest order as in the REST API, which is also the payload of webhooks. */
  const lastOrder = () =>
    stage().site.php(
      `$orders = wc_get_orders( array( 'limit' => 1, 'orderby' => 'id', 'order' => 'DESC' ) );
      return rest_get_server()->response_to_data( rest_do_request( '/wc/v3/orders/' . $orders[0]->get_id() ), false );`,
    );

  const orderOf = (payload: unknown) => {
    const reading = readWooOrder(payload);
    assert.equal(reading.kind, "order", JSON.stringify(reading));
    return (reading as unknown as { order: typeof OrderSchema._output }).order;
  };

  const waitForStored = (page: Page, path: string) =>
    page.waitForResponse(async (response) =>
      new URL(response.url()).pathname === path && response.request().method() === "POST" &&
      (await response.json()).stored === true
    );

  hostTest(
    "a classic checkout sends the cart and email address, and the webhook of an order with a ticked box causes a signup",
    async () => {
      const mug = await openShop("[woocommerce_checkout]");
      const { site, browser, program, set } = stage();
      const page = await (await browser.newContext({ locale: "en" })).newPage();
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(String(error)));
      await page.goto(`${site.url}/?add-to-cart=${mug}`);
      const cart = waitForStored(page, "/cart");
      await page.goto(await site.php<string>("return wc_get_checkout_url();"));
      const sentCart = (await cart).request().postDataJSON();
      assert.deepEqual(
        sentCart.items.map((
          { id, name, quantity, price }: Record<string, unknown>,
        ) => [id, name, quantity, price]),
        [
          [String(mug), "A mug & more", 1, 9.5],
        ],
      );
      assert.deepEqual([sentCart.total, sentCart.currency], [9.5, "EUR"]);

      const email = waitForStored(page, "/wp-json/cfbe/v1/cart-email");
      await page.locator("#billing_email").fill("ann@example.com");
      await page.locator("#billing_first_name").fill("Ann");
      await page.locator("#billing_last_name").fill("Example");
      await page.locator("#billing_address_1").fill("1 Street");
      await page.locator("#billing_postcode").fill("10115");
      await page.locator("#billing_city").fill("Berlin");
      await page.locator("#billing_phone").fill("030 123456");
      const box = page.getByLabel(LABEL);
      assert.equal(await box.isChecked(), false);
      await box.check();
      await email;
      await waitUntil(
        "the form contains the session",
        10_000,
        async () => (await page.locator("input[name=cfbe_session]").inputValue()).length === 22,
      );
      const session = await page.locator("input[name=cfbe_session]").inputValue();
      await set({ opt_in_label: "Another label" });
      await page.getByRole("button", { name: "Place order" }).click();
      await page.waitForURL(/order-received/);

      const order = orderOf(await lastOrder());
      assert.deepEqual([order.email, order.optIn, order.optInText, order.locale, order.session], [
        "ann@example.com",
        true,
        LABEL,
        "en-US",
        session,
      ]);
      assert.deepEqual(errors, []);

      // WooCommerce creates, signs and sends the webhook. The filter allows local URLs.
      const failures = await site.php<number>(
        `add_filter( 'http_request_args', static function ( $args ) { $args['reject_unsafe_urls'] = false; return $args; } );
      $webhook = new WC_Webhook();
      $webhook->set_topic( 'order.updated' );
      $webhook->set_user_id( 1 );
      $webhook->set_status( 'active' );
      $webhook->set_secret( '${SECRET}' );
      $webhook->set_api_version( 'wp_api_v3' );
      $webhook->set_delivery_url( '${program.baseUrl}/shop-hook/woocommerce' );
      $webhook->save();
      $orders = wc_get_orders( array( 'limit' => 1, 'orderby' => 'id', 'order' => 'DESC' ) );
      $webhook->deliver( $orders[0]->get_id() );
      return $webhook->get_failure_count();`,
      );
      assert.equal(failures, 0);
      await waitForStatus(program, "ann@example.com", "pending");
      const { record, consents: [consent] } = await statusOf(program, "ann@example.com");
      assert.deepEqual([record.source, consent!.text], ["checkout", LABEL]);
      assert.equal(await site.phpErrors(), "");
    },
  );

  hostTest("a reminder's link adds its items to the visitor's cart, once", async () => {
    const mug = await openShop("[woocommerce_checkout]");
    const { site, browser, program } = stage();
    const page = await (await browser.newContext({ locale: "en" })).newPage();
    const content = {
      items: [{ id: String(mug), name: "A mug", quantity: 3 }, { id: "999999", name: "Gone", quantity: 1 }],
      total: 28.5,
      currency: "EUR",
      url: site.url,
    };
    await page.route(
      `${program.baseUrl}/cart/a.b/items`,
      (route) => route.fulfill({ json: content, headers: { "access-control-allow-origin": "*" } }),
    );
    const cartUrl = await site.php<string>("return wc_get_cart_url();");
    await page.goto(`${cartUrl}#cfbe-cart=a.b`);
    await waitUntil("the cart contains three items", 20_000, async () => {
      const lines = await page.evaluate(async () =>
        (await (await fetch("/?rest_route=/wc/store/v1/cart")).json()).items.map((
          item: { quantity: number },
        ) => item.quantity)
      ).catch(() => []);
      return JSON.stringify(lines) === "[3]";
    });
    await page.goto(`${cartUrl}?again#cfbe-cart=a.b`);
    await page.waitForTimeout(1_000); // Time for a second restore, which must not happen.
    const lines = await page.evaluate(async () =>
      (await (await fetch("/?rest_route=/wc/store/v1/cart")).json()).items_count
    );
    assert.equal(lines, 3);
    assert.equal(await site.phpErrors(), "");
  });

  hostTest(
    "a customer signs up while registering on My account, and later in the account details",
    async () => {
      await openShop();
      const { site, browser, set } = stage();
      await setApiToken(site);
      await set({ checkboxes: { woocommerce_account: { on: true, text: LABEL } } });
      const account = await site.php<string>(
        `update_option( 'woocommerce_enable_myaccount_registration', 'yes' );
      update_option( 'woocommerce_registration_generate_password', 'no' );
      return wc_get_page_permalink( 'myaccount' );`,
      );
      const waiting = () =>
        site.php<string[][]>(
          `return array_map( static function ( $option ) { $signup = get_option( $option )['signup']; return array( $signup['email'], $signup['consentText'] ); }, cfbe_waiting_signups() );`,
        );
      const page = await (await browser.newContext({ locale: "en" })).newPage();
      await page.goto(account);
      await page.locator("#reg_email").fill("ann@example.com");
      await page.locator("#reg_password").fill("a long password for tests 7!");
      assert.equal(await page.getByLabel(LABEL).isChecked(), false);
      // WooCommerce's hint about the password moves what is below it.
      await page.getByLabel(LABEL).press("Space");
      await page.getByRole("button", { name: "Register" }).click();
      await page.getByText("Log out").first().waitFor();
      assert.deepEqual(await waiting(), [["ann@example.com", LABEL]]);
      await site.php("return array_map( 'delete_option', cfbe_waiting_signups() );");

      await page.goto(`${account}edit-account/`);
      await page.locator("#account_first_name").fill("Ann");
      await page.locator("#account_last_name").fill("Example");
      assert.equal(await page.getByLabel(LABEL).isChecked(), false);
      await page.getByLabel(LABEL).check();
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByText("Account details changed successfully").waitFor();
      assert.deepEqual(await waiting(), [["ann@example.com", LABEL]]);
      assert.equal(await site.phpErrors(), "");
    },
  );

  for (const ticked of [true, false]) {
    hostTest(
      `the checkout block sends the cart and the email address, and its order stores the ${
        ticked ? "ticked" : "unticked"
      } box with the text that was shown`,
      async () => {
        const mug = await openShop();
        const { site, browser, set } = stage();
        const page = await (await browser.newContext({ locale: "en" })).newPage();
        const errors: string[] = [];
        page.on("pageerror", (error) => errors.push(String(error)));
        await page.goto(`${site.url}/?add-to-cart=${mug}`);
        const cart = waitForStored(page, "/cart");
        await page.goto(await site.php<string>("return wc_get_checkout_url();"));
        const { items, total } = (await cart).request().postDataJSON();
        assert.deepEqual([items.length, items[0].name, total], [1, "A mug & more", 9.5]);

        const person = `block-${ticked}@example.com`;
        const email = waitForStored(page, "/wp-json/cfbe/v1/cart-email");
        await page.locator("#email").fill(person);
        assert.equal((await email).request().postDataJSON().email, person);
        for (
          const [field, value] of [
            ["first_name", "Ann"],
            ["last_name", "Example"],
            ["address_1", "1 Street"],
            [
              "postcode",
              "10115",
            ],
            ["city", "Berlin"],
          ]
        ) {
          await page.locator(`#billing-${field}`).fill(value!);
        }
        const box = page.locator(".wc-block-checkout__contact-fields, #contact-fields").getByLabel(LABEL);
        assert.equal(await box.isChecked(), false);
        if (ticked) await box.check();
        await set({ opt_in_label: "Another label" });
        await page.getByRole("button", { name: "Place order" }).click();
        await page.waitForURL(/order-received/);
        assert.equal(await page.getByText(LABEL).count(), 0, "the thank-you page does not show the box");

        const order = orderOf(await lastOrder());
        assert.deepEqual([order.email, order.optIn, order.optInText, order.locale], [
          person,
          ticked,
          LABEL,
          "en-US",
        ]);
        assert.match(order.session ?? "", /^[\w-]{22}$/);
        assert.deepEqual(errors, []);
        assert.equal(await site.phpErrors(), "");
      },
    );
  }
}

/** Writes a config file with carts and the checkout's checkbox on, and returns its path. */
async function configWithShop(): Promise<string> {
  const path = await Deno.makeTempFile({ prefix: "cfbe-config-", suffix: ".ts" });
  const settings = { general: { modules: { carts: true, checkout: true } }, checkout: { label: LABEL } };
  await Deno.writeTextFile(path, `export default { settings: ${JSON.stringify(settings)} };`);
  return path;
}
