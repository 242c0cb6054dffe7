<?php
/**
 * Abandoned carts of both checkouts: a script on the page sends the cart to cfbe, and restores the cart that
 * the link in a reminder refers to.
 *
 * The script fetches the cart separately. The page never contains it, so that a misconfigured page cache cannot
 * show one visitor's cart to another.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Maximum number of items that cfbe accepts in one cart. */
const CFBE_CART_MAX_ITEMS = 100;

/** Adds the scripts to the checkout and the cart. Reminders link to the cart, because an empty checkout redirects to it. */
function cfbe_enqueue_checkout() {
	$sends = cfbe_sends_cart();
	if ( ! $sends && ! is_cart() ) {
		return;
	}
	cfbe_enqueue();
	$needs = $sends && cfbe_is_block_checkout() ? array( 'wp-data', 'wc-blocks-data-store' ) : array( 'jquery' );
	wp_enqueue_script( 'cfbe-checkout', plugins_url( 'assets/checkout.js', CFBE_PLUGIN_FILE ), $needs, CFBE_PLUGIN_VERSION, true );
	wp_localize_script(
		'cfbe-checkout',
		'cfbeCheckout',
		array(
			'cart'    => WC_AJAX::get_endpoint( 'cfbe_cart' ),
			'restore' => WC_AJAX::get_endpoint( 'cfbe_restore' ),
			'sends'   => $sends ? '1' : '',
			'block'   => $sends && cfbe_is_block_checkout() ? '1' : '',
		)
	);
}
add_action( 'wp_enqueue_scripts', 'cfbe_enqueue_checkout' );

/** Prints the field for the checkout session, which the script fills in. cfbe matches the order to its cart by it, whatever the email address. */
function cfbe_session_field() {
	echo '<input type="hidden" name="cfbe_session" value="">';
}
add_action( 'woocommerce_checkout_before_customer_details', 'cfbe_session_field' );

/**
 * Stores the checkout session of a classic checkout in the order.
 *
 * @param WC_Order $order The order being created.
 */
function cfbe_save_classic_session( $order ) {
	// WooCommerce has already checked the checkout's nonce.
	cfbe_save_session( $order, isset( $_POST['cfbe_session'] ) ? sanitize_text_field( wp_unslash( $_POST['cfbe_session'] ) ) : '' ); // phpcs:ignore WordPress.Security.NonceVerification.Missing
}
add_action( 'woocommerce_checkout_create_order', 'cfbe_save_classic_session' );

/**
 * Stores the checkout session of a checkout block in the order.
 *
 * @param WC_Order        $order   The order.
 * @param WP_REST_Request $request With what the page's scripts have added.
 */
function cfbe_save_block_session( $order, $request ) {
	$sent = cfbe_block_data( $request );
	cfbe_save_session( $order, isset( $sent['session'] ) ? $sent['session'] : '' );
}
add_action( 'woocommerce_store_api_checkout_update_order_from_request', 'cfbe_save_block_session', 10, 2 );

/**
 * Adds a checkout session to an order's metadata. WooCommerce saves the order.
 *
 * @param WC_Order $order   The order.
 * @param mixed    $session As the page sent it.
 */
function cfbe_save_session( $order, $session ) {
	if ( is_string( $session ) && preg_match( '/^[A-Za-z0-9_-]{22}$/D', $session ) ) {
		$order->update_meta_data( '_cfbe_session', $session );
	}
}

/**
 * Returns the visitor's cart in the format that cfbe accepts.
 *
 * @return array
 */
function cfbe_cart() {
	$items = array();
	foreach ( array_slice( WC()->cart->get_cart(), 0, CFBE_CART_MAX_ITEMS ) as $line ) {
		$product = $line['data'];
		$item    = array(
			'id'       => (string) ( $line['variation_id'] ? $line['variation_id'] : $line['product_id'] ),
			'name'     => cfbe_plain_name( $product->get_name() ),
			'quantity' => (float) $line['quantity'],
			'price'    => round( (float) wc_get_price_to_display( $product ), wc_get_price_decimals() ),
			'url'      => $product->get_permalink( $line ),
			'image'    => (string) wp_get_attachment_image_url( $product->get_image_id(), 'woocommerce_thumbnail' ),
		);
		if ( '' === $item['image'] ) {
			unset( $item['image'] );
		}
		$items[] = $item;
	}
	return array(
		'items'    => $items,
		'total'    => (float) WC()->cart->get_total( 'edit' ),
		'currency' => get_woocommerce_currency(),
		'url'      => wc_get_cart_url(),
	);
}

/**
 * Returns a product's name as plain text on one line.
 *
 * @param string $html The name in WooCommerce, which can contain markup.
 * @return string
 */
function cfbe_plain_name( $html ) {
	$text = html_entity_decode( wp_strip_all_tags( $html, true ), ENT_QUOTES, 'UTF-8' );
	return mb_substr( trim( (string) preg_replace( '/[\p{C}\s]+/u', ' ', $text ) ), 0, 200 );
}

/** `?wc-ajax=cfbe_cart`: responds with the visitor's cart. */
function cfbe_ajax_cart() {
	nocache_headers();
	WC()->cart->calculate_totals();
	wp_send_json( cfbe_cart() );
}
add_action( 'wc_ajax_cfbe_cart', 'cfbe_ajax_cart' );

/**
 * `?wc-ajax=cfbe_restore`: adds the items of a reminder to the visitor's cart, except those that are in it already.
 *
 * Like WooCommerce's own add-to-cart links, it requires no nonce, because a nonce in a cached page would be expired.
 * The required header keeps other sites' pages from sending the request.
 */
function cfbe_ajax_restore() {
	nocache_headers();
	if ( empty( $_SERVER['HTTP_X_CFBE_RESTORE'] ) ) {
		wp_send_json_error( null, 403 );
	}
	$body    = json_decode( (string) file_get_contents( 'php://input', false, null, 0, 64 * KB_IN_BYTES ), true );
	$items   = is_array( $body ) && isset( $body['items'] ) && is_array( $body['items'] ) ? $body['items'] : array();
	$present = array();
	foreach ( WC()->cart->get_cart() as $line ) {
		$present[] = (int) ( $line['variation_id'] ? $line['variation_id'] : $line['product_id'] );
	}
	$added = 0;
	foreach ( array_slice( $items, 0, CFBE_CART_MAX_ITEMS ) as $item ) {
		$id       = is_array( $item ) && isset( $item['id'] ) && is_scalar( $item['id'] ) ? absint( $item['id'] ) : 0;
		$quantity = is_array( $item ) && isset( $item['quantity'] ) && is_numeric( $item['quantity'] ) ? (float) $item['quantity'] : 0;
		$product  = $id && $quantity > 0 && ! in_array( $id, $present, true ) ? wc_get_product( $id ) : false;
		if ( ! $product || ! $product->is_purchasable() ) {
			continue;
		}
		$variation = $product->is_type( 'variation' );
		try {
			// If an item is no longer available, WooCommerce shows a notice on the next page.
			$key = WC()->cart->add_to_cart(
				$variation ? $product->get_parent_id() : $id,
				wc_stock_amount( $quantity ),
				$variation ? $id : 0,
				$variation ? $product->get_variation_attributes() : array()
			);
			$added += $key ? 1 : 0;
		} catch ( Exception $error ) {
			wc_add_notice( $error->getMessage(), 'error' );
		}
	}
	wp_send_json( array( 'added' => $added ) );
}
add_action( 'wc_ajax_cfbe_restore', 'cfbe_ajax_restore' );
