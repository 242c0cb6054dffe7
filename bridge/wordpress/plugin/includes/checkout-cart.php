<?php
/**
 * Abandoned carts of the classic checkout: what lies in the cart is told to the service by the page's script, and
 * what a reminder's link leads back to is put into the cart again.
 *
 * The page itself holds nothing of the cart: the script asks for it, so that a cache which keeps what it should not
 * shows nobody somebody else's.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** The service takes this many. */
const CFBE_CART_MAX_ITEMS = 100;

/** Puts the scripts into checkout and cart. A reminder leads to the cart, for an empty checkout sends its visitors there. */
function cfbe_enqueue_checkout() {
	$tells = cfbe_tells_carts();
	if ( ! $tells && ! is_cart() ) {
		return;
	}
	cfbe_enqueue();
	wp_enqueue_script( 'cfbe-checkout', plugins_url( 'assets/checkout.js', CFBE_PLUGIN_FILE ), array( 'jquery' ), CFBE_PLUGIN_VERSION, true );
	wp_localize_script(
		'cfbe-checkout',
		'cfbeCheckout',
		array(
			'cart'    => WC_AJAX::get_endpoint( 'cfbe_cart' ),
			'restore' => WC_AJAX::get_endpoint( 'cfbe_restore' ),
			'tells'   => $tells ? '1' : '',
		)
	);
}
add_action( 'wp_enqueue_scripts', 'cfbe_enqueue_checkout' );

/** The checkout session, which the script fills in: an order that names it ends its cart, whatever the address. */
function cfbe_session_field() {
	echo '<input type="hidden" name="cfbe_session" value="">';
}
add_action( 'woocommerce_checkout_before_customer_details', 'cfbe_session_field' );

/**
 * Keeps the session with the order.
 *
 * @param WC_Order $order The order that is being made.
 */
function cfbe_save_session( $order ) {
	// WooCommerce has checked the checkout's nonce.
	$session = isset( $_POST['cfbe_session'] ) ? sanitize_text_field( wp_unslash( $_POST['cfbe_session'] ) ) : ''; // phpcs:ignore WordPress.Security.NonceVerification.Missing
	if ( preg_match( '/^[A-Za-z0-9_-]{22}$/', $session ) ) {
		$order->update_meta_data( '_cfbe_session', $session );
	}
}
add_action( 'woocommerce_checkout_create_order', 'cfbe_save_session' );

/**
 * The visitor's cart as the service takes it.
 *
 * @return array
 */
function cfbe_cart() {
	$items = array();
	foreach ( array_slice( WC()->cart->get_cart(), 0, CFBE_CART_MAX_ITEMS ) as $line ) {
		$product = $line['data'];
		$item    = array(
			'id'       => (string) ( $line['variation_id'] ? $line['variation_id'] : $line['product_id'] ),
			'name'     => cfbe_one_line( $product->get_name() ),
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
 * A product's name without markup.
 *
 * @param string $html As the shop wrote it.
 * @return string
 */
function cfbe_one_line( $html ) {
	$text = html_entity_decode( wp_strip_all_tags( $html, true ), ENT_QUOTES, 'UTF-8' );
	return mb_substr( trim( (string) preg_replace( '/[\p{C}\s]+/u', ' ', $text ) ), 0, 200 );
}

/** `?wc-ajax=cfbe_cart`: the visitor's own cart. */
function cfbe_ajax_cart() {
	nocache_headers();
	WC()->cart->calculate_totals();
	wp_send_json( cfbe_cart() );
}
add_action( 'wc_ajax_cfbe_cart', 'cfbe_ajax_cart' );

/**
 * `?wc-ajax=cfbe_restore`: puts what a reminder named into the visitor's own cart, but for what lies there already.
 *
 * Like WooCommerce's own links to the cart it asks for no nonce: a cached page could have none that counts. The
 * header lets no other site's page do it.
 */
function cfbe_ajax_restore() {
	nocache_headers();
	if ( empty( $_SERVER['HTTP_X_CFBE_RESTORE'] ) ) {
		wp_send_json_error( null, 403 );
	}
	$sent  = json_decode( (string) file_get_contents( 'php://input', false, null, 0, 64 * KB_IN_BYTES ), true );
	$items = is_array( $sent ) && isset( $sent['items'] ) && is_array( $sent['items'] ) ? $sent['items'] : array();
	$there = array();
	foreach ( WC()->cart->get_cart() as $line ) {
		$there[] = (int) ( $line['variation_id'] ? $line['variation_id'] : $line['product_id'] );
	}
	$added = 0;
	foreach ( array_slice( $items, 0, CFBE_CART_MAX_ITEMS ) as $item ) {
		$id       = is_array( $item ) && isset( $item['id'] ) && is_scalar( $item['id'] ) ? absint( $item['id'] ) : 0;
		$quantity = is_array( $item ) && isset( $item['quantity'] ) && is_numeric( $item['quantity'] ) ? (float) $item['quantity'] : 0;
		$product  = $id && $quantity > 0 && ! in_array( $id, $there, true ) ? wc_get_product( $id ) : false;
		if ( ! $product || ! $product->is_purchasable() ) {
			continue;
		}
		$variation = $product->is_type( 'variation' );
		try {
			// What can't be had any more is told to the visitor by WooCommerce, on the page that comes next.
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
