<?php
/**
 * Integration with WooCommerce, loaded only if it is active.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/**
 * Returns whether this page is a checkout that sends its cart to cfbe.
 *
 * @return bool
 */
function cfbe_sends_cart() {
	return cfbe_settings()['carts'] && function_exists( 'is_checkout' ) && is_checkout() && ! is_wc_endpoint_url();
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

/** Lets the scripts on a checkout block add their data to the request that places the order. */
function cfbe_register_block_data() {
	if ( ! function_exists( 'woocommerce_store_api_register_endpoint_data' ) ) {
		return;
	}
	woocommerce_store_api_register_endpoint_data(
		array(
			'endpoint'        => 'checkout',
			'namespace'       => 'cfbe',
			'schema_callback' => static function () {
				$property = static function ( $type ) {
					return array(
						'description' => 'Set by the scripts of cfbe.',
						'type'        => $type,
						'context'     => array(),
						'optional'    => true,
					);
				};
				return array(
					'opt_in'  => $property( 'boolean' ),
					'shown'   => $property( 'string' ),
					'session' => $property( 'string' ),
				);
			},
		)
	);
}
add_action( 'woocommerce_blocks_loaded', 'cfbe_register_block_data' );

/**
 * Returns what the scripts on a checkout block have added to the request that places the order.
 *
 * @param WP_REST_Request $request The request.
 * @return array
 */
function cfbe_block_data( $request ) {
	$extensions = $request['extensions'];
	return is_array( $extensions ) && isset( $extensions['cfbe'] ) && is_array( $extensions['cfbe'] ) ? $extensions['cfbe'] : array();
}
