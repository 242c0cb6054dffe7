/** The checkout with a stand-in that fires WooCommerce's hooks. `woocommerce_host.ts` tests with the real one. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { run } from "../process.ts";
import { hostTest, sharedStage } from "./stage.ts";

const STAND_IN = fileURLToPath(new URL("woocommerce_stand_in", import.meta.url));
const ON = { carts: true, opt_in: true, opt_in_label: "Send me <b>news</b>" };

const stage = sharedStage();

async function openShop(): Promise<void> {
  const { site, set } = stage();
  await run("cp", ["-r", STAND_IN, `${site.folder}/wp-content/plugins/`]);
  await site.activate("woocommerce_stand_in/woocommerce.php");
  await set(ON);
}

/** Deletes the checkout page, also from the cache, so that a test can publish another one. */
async function removeCheckout(): Promise<void> {
  await stage().site.php(
    `foreach ( get_posts( array( 'name' => 'checkout', 'post_type' => 'page', 'fields' => 'ids' ) ) as $id ) {
      wp_delete_post( $id, true );
    }
    cfbe_purge_page_caches();`,
  );
}

hostTest("the order stores the checkbox's answer, from either checkout", async () => {
  await openShop();
  const meta = await stage().site.php<Record<string, Record<string, string>>>(
    `$meta = array();
    foreach ( array( 'ticked' => array( 'cfbe_opt_in' => 1 ), 'not' => array( 'cfbe_opt_in' => 0 ), 'absent' => array() ) as $case => $data ) {
      $order = new WC_Order();
      do_action( 'woocommerce_checkout_create_order', $order, $data );
      $meta[ $case ] = $order->all_meta();
    }
    $order = new WC_Order();
    do_action( 'woocommerce_set_additional_field_value', 'cfbe/opt-in', true, 'other', $order );
    $meta['block'] = $order->all_meta();
    do_action( 'woocommerce_set_additional_field_value', 'cfbe/opt-in', false, 'other', $order );
    $meta['unticked'] = $order->all_meta();
    $customer = new WC_Customer();
    do_action( 'woocommerce_set_additional_field_value', 'cfbe/opt-in', true, 'other', $customer );
    do_action( 'woocommerce_set_additional_field_value', 'other/field', true, 'other', $customer );
    $meta['customer'] = (object) $customer->all_meta();
    return $meta;`,
  );
  const answer = (optIn: string) => ({ _cfbe_opt_in: optIn, _cfbe_locale: "en-US" });
  assert.deepEqual(meta, {
    ticked: answer("yes"),
    not: answer("no"),
    absent: answer("no"),
    block: answer("yes"),
    unticked: answer("no"),
    customer: {},
  });
});

hostTest(
  "the checkbox is registered with the label from the settings, and never ticked in advance",
  async () => {
    await openShop();
    const { classic, block } = await stage().site.php<Record<string, Record<string, unknown>>>(
      `$fields = apply_filters( 'woocommerce_checkout_fields', array( 'billing' => array() ) );
    return array( 'classic' => $fields['billing']['cfbe_opt_in'], 'block' => $GLOBALS['cfbe_fields']['cfbe/opt-in'] );`,
    );
    assert.deepEqual([classic!["type"], classic!["label"], classic!["required"]], [
      "checkbox",
      "Send me <b>news</b>",
      false,
    ]);
    assert.equal("default" in classic!, false);
    assert.deepEqual([block!["type"], block!["location"], block!["required"]], ["checkbox", "order", false]);
  },
);

hostTest("an order stores a valid checkout session, and nothing else that was posted", async () => {
  await openShop();
  const session = "A".repeat(22);
  const stored = await stage().site.php<string[]>(
    `$stored = array();
    foreach ( array( '${session}', '${session}A', '<script>', '' ) as $sent ) {
      $_POST['cfbe_session'] = $sent;
      $order = new WC_Order();
      do_action( 'woocommerce_checkout_create_order', $order, array() );
      $stored[] = $order->get_meta( '_cfbe_session' );
    }
    return $stored;`,
  );
  assert.deepEqual(stored, [session, "", "", ""]);
});

hostTest(
  "only a classic checkout reads the email address, and other pages contain nothing of it",
  async () => {
    await openShop();
    const { site, program } = stage();
    const html = async (slug: string, content: string) =>
      await (await fetch(await site.publish(slug, content))).text();
    const classic = await html("checkout", "A checkout");
    assert.match(
      classic,
      new RegExp(`<script[^>]* async [^>]*data-checkout="#billing_email" src='?"?${program.baseUrl}/cfbe.js`),
    );
    assert.match(classic, /assets\/checkout\.js/);
    assert.match(classic, /"sends":"1"/);
    const thanks = await (await fetch(`${site.url}/checkout/?order-received=1`)).text();
    assert.match(thanks, /A checkout/);
    assert.doesNotMatch(thanks, /data-checkout|checkout\.js/);
    const cart = await html("cart", "A cart");
    assert.doesNotMatch(cart, /data-checkout/);
    assert.match(cart, /"sends":""/);
    assert.doesNotMatch(await html("elsewhere", "[cfbe_form]"), /data-checkout|checkout\.js/);
    await removeCheckout();
    const block = await html("checkout", "<!-- wp:woocommerce/checkout /-->");
    assert.doesNotMatch(block, /data-checkout|checkout\.js/);
    assert.equal(await site.phpErrors(), "");
  },
);

hostTest("if both are turned off, the checkout is unchanged", async () => {
  await openShop();
  const { site, set } = stage();
  await set({ carts: false, opt_in: false });
  assert.deepEqual(
    await site.php(
      `return array( has_action( 'woocommerce_checkout_create_order' ), has_action( 'wc_ajax_cfbe_cart' ), isset( $GLOBALS['cfbe_fields'] ) );`,
    ),
    [false, false, false],
  );
});

hostTest(
  "with only the checkbox on, a classic checkout with a form does not read the email address",
  async () => {
    await openShop();
    const { site, set } = stage();
    await set({ carts: false, sitewide: true });
    await removeCheckout();
    const html = await (await fetch(await site.publish("checkout", "A checkout"))).text();
    assert.match(html, /<script[^>]*\/cfbe\.js/);
    assert.doesNotMatch(html, /data-checkout|checkout\.js/);
  },
);
