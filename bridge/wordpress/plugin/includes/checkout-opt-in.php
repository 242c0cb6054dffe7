<?php
/**
 * The newsletter checkbox at the checkout. The order stores the answer as `_cfbe_opt_in` (`yes` or `no`), with
 * `_cfbe_locale`. cfbe reads both from WooCommerce's order webhook.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** The checkbox's ID on the checkout block. WooCommerce requires a namespace. */
const CFBE_BLOCK_FIELD = 'cfbe/opt-in';

/**
 * Adds the checkbox to the classic checkout, below the email address. There it stays ticked when WooCommerce
 * refreshes the order review. It is never ticked in advance.
 *
 * @param array $fields Checkout fields by section.
 * @return array
 */
function cfbe_add_classic_field( $fields ) {
	$fields['billing']['cfbe_opt_in'] = array(
		'type'     => 'checkbox',
		'label'    => cfbe_settings()['opt_in_label'],
		'required' => false,
		'class'    => array( 'form-row-wide' ),
		'priority' => 115,
	);
	return $fields;
}
add_filter( 'woocommerce_checkout_fields', 'cfbe_add_classic_field' );

/**
 * Stores the answer given at a classic checkout.
 *
 * @param WC_Order $order The order being created.
 * @param array    $data  Posted data, parsed by WooCommerce.
 */
function cfbe_save_classic_opt_in( $order, $data ) {
	cfbe_save_opt_in( $order, ! empty( $data['cfbe_opt_in'] ) );
}
add_action( 'woocommerce_checkout_create_order', 'cfbe_save_classic_opt_in', 10, 2 );

/** Adds the checkbox to the checkout block. At the location `order`, WooCommerce does not reuse the answer for the customer's next order. */
function cfbe_register_block_field() {
	if ( ! function_exists( 'woocommerce_register_additional_checkout_field' ) ) {
		return; // WooCommerce before 8.9.
	}
	woocommerce_register_additional_checkout_field(
		array(
			'id'       => CFBE_BLOCK_FIELD,
			'label'    => cfbe_settings()['opt_in_label'],
			'location' => 'order',
			'type'     => 'checkbox',
			'required' => false,
		)
	);
}
add_action( 'woocommerce_init', 'cfbe_register_block_field' );

/**
 * Stores the answer given on the checkout block, each time it changes.
 *
 * @param string  $key       ID of the field.
 * @param mixed   $value     Its value.
 * @param string  $group     Group of the field, such as `other`.
 * @param WC_Data $wc_object The order or the customer.
 */
function cfbe_save_block_opt_in( $key, $value, $group, $wc_object ) {
	if ( CFBE_BLOCK_FIELD === $key && $wc_object instanceof WC_Order ) {
		cfbe_save_opt_in( $wc_object, (bool) $value );
	}
}
add_action( 'woocommerce_set_additional_field_value', 'cfbe_save_block_opt_in', 10, 4 );

/**
 * Adds the answer to the order's metadata. WooCommerce saves the order.
 *
 * @param WC_Order $order  The order.
 * @param bool     $ticked Whether the checkbox was ticked.
 */
function cfbe_save_opt_in( $order, $ticked ) {
	$order->update_meta_data( '_cfbe_opt_in', $ticked ? 'yes' : 'no' );
	$order->update_meta_data( '_cfbe_locale', str_replace( '_', '-', determine_locale() ) );
}

/**
 * Shows the answer on the order's admin page.
 *
 * @param WC_Order $order The order.
 */
function cfbe_show_opt_in( $order ) {
	$answer = $order->get_meta( '_cfbe_opt_in' );
	if ( '' === $answer ) {
		return;
	}
	printf(
		'<p><strong>%s</strong> %s</p>',
		esc_html__( 'Newsletter:', 'cfbe' ),
		'yes' === $answer ? esc_html__( 'ticked', 'cfbe' ) : esc_html__( 'not ticked', 'cfbe' )
	);
}
add_action( 'woocommerce_admin_order_data_after_billing_address', 'cfbe_show_opt_in' );
