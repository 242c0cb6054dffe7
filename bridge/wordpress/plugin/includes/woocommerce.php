<?php
/**
 * Integration with WooCommerce, loaded only if it is active.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/**
 * Returns whether this page is a classic checkout that sends its cart to cfbe.
 *
 * @return bool
 */
function cfbe_sends_cart() {
	return cfbe_settings()['carts'] && function_exists( 'is_checkout' ) && is_checkout() && ! is_wc_endpoint_url() && ! cfbe_is_block_checkout();
}

/**
 * Returns whether this page uses the checkout block.
 *
 * @return bool
 */
function cfbe_is_block_checkout() {
	return has_block( 'woocommerce/checkout', get_queried_object_id() );
}

/** Declares support for custom order tables, and for the cart and checkout blocks. */
function cfbe_declare_compatibility() {
	if ( class_exists( '\Automattic\WooCommerce\Utilities\FeaturesUtil' ) ) {
		\Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility( 'custom_order_tables', CFBE_PLUGIN_FILE, true );
		\Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility( 'cart_checkout_blocks', CFBE_PLUGIN_FILE, true );
	}
}
add_action( 'before_woocommerce_init', 'cfbe_declare_compatibility' );

/** Loads the enabled parts. Runs only if WooCommerce is active. */
function cfbe_load_woocommerce() {
	$settings = cfbe_settings();
	if ( $settings['carts'] && '' !== $settings['address'] ) {
		require_once __DIR__ . '/checkout-cart.php';
	}
	if ( $settings['opt_in'] && '' !== $settings['opt_in_label'] ) {
		require_once __DIR__ . '/checkout-opt-in.php';
	}
}
add_action( 'woocommerce_init', 'cfbe_load_woocommerce', 1 );
