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

hostTest(
  "the order stores the checkbox's answer with the text that was shown, from either checkout",
  async () => {
    await openShop();
    const meta = await stage().site.php<Record<string, Record<string, string>>>(
      `$shown = cfbe_sign_text( 'An earlier text' );
    $meta = array();
    foreach ( array( 'ticked' => array( 1, $shown ), 'not' => array( 0, $shown ), 'forged' => array( 1, cfbe_base64url( 'No news' ) . '.x' ), 'bare' => array( 1, '' ) ) as $case => list( $answer, $text ) ) {
      $order = new WC_Order();
      $_POST['cfbe_opt_in_text'] = $text;
      do_action( 'woocommerce_checkout_create_order', $order, array( 'cfbe_opt_in' => $answer ) );
      $meta[ $case ] = $order->all_meta();
    }
    $sent = array( 'block' => array( 'opt_in' => true, 'shown' => $shown ), 'unticked' => array( 'opt_in' => false, 'shown' => $shown ), 'silent' => array(), 'odd' => 'text' );
    foreach ( $sent as $case => $data ) {
      $order = new WC_Order();
      do_action( 'woocommerce_store_api_checkout_update_order_from_request', $order, array( 'extensions' => array( 'cfbe' => $data ) ) );
      $meta[ $case ] = (object) $order->all_meta();
    }
    return $meta;`,
    );
    const answer = (optIn: string, text: string) => ({
      _cfbe_opt_in: optIn,
      _cfbe_opt_in_text: text,
      _cfbe_locale: "en-US",
    });
    assert.deepEqual(meta, {
      ticked: answer("yes", "An earlier text"),
      not: answer("no", "An earlier text"),
      forged: answer("yes", ON.opt_in_label),
      bare: answer("yes", ON.opt_in_label),
      block: answer("yes", "An earlier text"),
      unticked: answer("no", "An earlier text"),
      silent: {},
      odd: {},
    });
  },
);

hostTest(
  "the checkbox of the classic checkout has the label from the settings with its text, and is never ticked in advance",
  async () => {
    await openShop();
    const { field, html, other } = await stage().site.php<
      { field: Record<string, unknown>; html: string; other: string }
    >(
      `$fields = apply_filters( 'woocommerce_checkout_fields', array( 'billing' => array() ) );
    return array( 'field' => $fields['billing']['cfbe_opt_in'],
      'html' => apply_filters( 'woocommerce_form_field_checkbox', '<input>', 'cfbe_opt_in' ),
      'other' => apply_filters( 'woocommerce_form_field_checkbox', '<input>', 'terms' ) );`,
    );
    assert.deepEqual([field["type"], field["label"], field["required"], "default" in field], [
      "checkbox",
      ON.opt_in_label,
      false,
      false,
    ]);
    assert.match(html, /^<input><input type="hidden" name="cfbe_opt_in_text" value="[\w-]+\.[0-9a-f]+">$/);
    assert.equal(other, "<input>");
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
  "only a checkout sends the cart, a classic one by its email field and the block by WooCommerce's stores",
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
    assert.match(classic, /"sends":"1","block":""/);
    const thanks = await (await fetch(`${site.url}/checkout/?order-received=1`)).text();
    assert.match(thanks, /A checkout/);
    assert.doesNotMatch(thanks, /data-checkout|checkout\.js/);
    const cart = await html("cart", "A cart");
    assert.doesNotMatch(cart, /data-checkout/);
    assert.match(cart, /"sends":""/);
    assert.doesNotMatch(await html("elsewhere", "[cfbe_form]"), /data-checkout|checkout\.js/);
    await removeCheckout();
    const block = await html("checkout", "<!-- wp:woocommerce/checkout /-->");
    assert.doesNotMatch(block, /data-checkout/);
    assert.match(block, /"sends":"1","block":"1"/);
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
