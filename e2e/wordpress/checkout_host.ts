/** The checkout without WooCommerce: a stand-in fires its hooks. `woocommerce_host.ts` asks the real one. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { run } from "./process.ts";
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

/** Makes room for another page of that name, which the cache has not kept. */
async function removeCheckout(): Promise<void> {
  await stage().site.php(
    `foreach ( get_posts( array( 'name' => 'checkout', 'post_type' => 'page', 'fields' => 'ids' ) ) as $id ) {
      wp_delete_post( $id, true );
    }
    cfbe_purge_page_caches();`,
  );
}

hostTest("the box's answer lies in the order, whichever checkout it was given at", async () => {
  await openShop();
  const meta = await stage().site.php<Record<string, Record<string, string>>>(
    `$told = array();
    foreach ( array( 'ticked' => array( 'cfbe_opt_in' => 1 ), 'not' => array( 'cfbe_opt_in' => 0 ), 'absent' => array() ) as $case => $data ) {
      $order = new WC_Order();
      do_action( 'woocommerce_checkout_create_order', $order, $data );
      $told[ $case ] = $order->all_meta();
    }
    $order = new WC_Order();
    do_action( 'woocommerce_set_additional_field_value', 'cfbe/opt-in', true, 'other', $order );
    $told['block'] = $order->all_meta();
    do_action( 'woocommerce_set_additional_field_value', 'cfbe/opt-in', false, 'other', $order );
    $told['unticked'] = $order->all_meta();
    $customer = new WC_Customer();
    do_action( 'woocommerce_set_additional_field_value', 'cfbe/opt-in', true, 'other', $customer );
    do_action( 'woocommerce_set_additional_field_value', 'other/field', true, 'other', $customer );
    $told['customer'] = (object) $customer->all_meta();
    return $told;`,
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

hostTest("the box is registered with the words of the settings, and never ticked", async () => {
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
});

hostTest("an order holds a session that is one, and nothing else that was posted", async () => {
  await openShop();
  const session = "A".repeat(22);
  const kept = await stage().site.php<string[]>(
    `$kept = array();
    foreach ( array( '${session}', '${session}A', '<script>', '' ) as $sent ) {
      $_POST['cfbe_session'] = $sent;
      $order = new WC_Order();
      do_action( 'woocommerce_checkout_create_order', $order, array() );
      $kept[] = $order->get_meta( '_cfbe_session' );
    }
    return $kept;`,
  );
  assert.deepEqual(kept, [session, "", "", ""]);
});

hostTest("only a classic checkout reads the address, and nothing of it is in other pages", async () => {
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
  assert.match(classic, /"tells":"1"/);
  const thanks = await (await fetch(`${site.url}/checkout/?order-received=1`)).text();
  assert.match(thanks, /A checkout/);
  assert.doesNotMatch(thanks, /data-checkout|checkout\.js/);
  const cart = await html("cart", "A cart");
  assert.doesNotMatch(cart, /data-checkout/);
  assert.match(cart, /"tells":""/);
  assert.doesNotMatch(await html("elsewhere", "[cfbe_form]"), /data-checkout|checkout\.js/);
  await removeCheckout();
  const block = await html("checkout", "<!-- wp:woocommerce/checkout /-->");
  assert.doesNotMatch(block, /data-checkout|checkout\.js/);
  assert.equal(await site.complaints(), "");
});

hostTest("switched off, nothing of the checkout is there", async () => {
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

hostTest("with the box alone on, a classic checkout that has a form does not read the address", async () => {
  await openShop();
  const { site, set } = stage();
  await set({ carts: false, sitewide: true });
  await removeCheckout();
  const html = await (await fetch(await site.publish("checkout", "A checkout"))).text();
  assert.match(html, /<script[^>]*\/cfbe\.js/);
  assert.doesNotMatch(html, /data-checkout|checkout\.js/);
});
