<?php
/**
 * WooCommerce: what is loaded when it is there.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/**
 * Whether this page is a classic checkout whose carts are told to the service.
 *
 * @return bool
 */
function cfbe_tells_carts() {
	return cfbe_settings()['carts'] && function_exists( 'is_checkout' ) && is_checkout() && ! is_wc_endpoint_url() && ! cfbe_is_block_checkout();
}

/**
 * Whether this page's checkout is the block.
 *
 * @return bool
 */
function cfbe_is_block_checkout() {
	return has_block( 'woocommerce/checkout', get_queried_object_id() );
}

/** Says what the plugin gets along with: orders in tables of their own, and cart and checkout as blocks. */
function cfbe_declare_compatibility() {
	if ( class_exists( '\Automattic\WooCommerce\Utilities\FeaturesUtil' ) ) {
		\Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility( 'custom_order_tables', CFBE_PLUGIN_FILE, true );
		\Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility( 'cart_checkout_blocks', CFBE_PLUGIN_FILE, true );
	}
}
add_action( 'before_woocommerce_init', 'cfbe_declare_compatibility' );

/** WooCommerce calls this once it is there; without it nothing of this is loaded. */
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
