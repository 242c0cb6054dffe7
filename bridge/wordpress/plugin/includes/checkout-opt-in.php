<?php
/**
 * The newsletter's box at the checkout. Its answer lies in the order as `_cfbe_opt_in` (`yes` or `no`) and
 * `_cfbe_locale`, where the service's WooCommerce webhook reads them.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** The box's name on the checkout block: WooCommerce asks for a name space. */
const CFBE_BLOCK_FIELD = 'cfbe/opt-in';

/**
 * Adds the box to the classic checkout, below the e-mail address. Among WooCommerce's own fields it outlives the
 * refreshing of the order review, which would clear it there. It is never ticked beforehand.
 *
 * @param array $fields By section.
 * @return array
 */
function cfbe_classic_field( $fields ) {
	$fields['billing']['cfbe_opt_in'] = array(
		'type'     => 'checkbox',
		'label'    => cfbe_settings()['opt_in_label'],
		'required' => false,
		'class'    => array( 'form-row-wide' ),
		'priority' => 115,
	);
	return $fields;
}
add_filter( 'woocommerce_checkout_fields', 'cfbe_classic_field' );

/**
 * Keeps the answer of a classic checkout.
 *
 * @param WC_Order $order The order that is being made.
 * @param array    $data  What was posted, as WooCommerce has read it.
 */
function cfbe_save_classic( $order, $data ) {
	cfbe_save_answer( $order, ! empty( $data['cfbe_opt_in'] ) );
}
add_action( 'woocommerce_checkout_create_order', 'cfbe_save_classic', 10, 2 );

/** Adds the box to the checkout block: with the order, where nothing is remembered for the customer's next one. */
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
 * Keeps the answer of the checkout block, each time it changes.
 *
 * @param string  $key       Of the field.
 * @param mixed   $value     Its value.
 * @param string  $group     Where it stands.
 * @param WC_Data $wc_object The order, or the customer.
 */
function cfbe_save_block( $key, $value, $group, $wc_object ) {
	if ( CFBE_BLOCK_FIELD === $key && $wc_object instanceof WC_Order ) {
		cfbe_save_answer( $wc_object, (bool) $value );
	}
}
add_action( 'woocommerce_set_additional_field_value', 'cfbe_save_block', 10, 4 );

/**
 * Writes the answer into the order; WooCommerce saves it.
 *
 * @param WC_Order $order  The order.
 * @param bool     $ticked Whether the box was ticked.
 */
function cfbe_save_answer( $order, $ticked ) {
	$order->update_meta_data( '_cfbe_opt_in', $ticked ? 'yes' : 'no' );
	$order->update_meta_data( '_cfbe_locale', str_replace( '_', '-', determine_locale() ) );
}

/**
 * Shows the answer beside the order.
 *
 * @param WC_Order $order The order that somebody looks at.
 */
function cfbe_show_answer( $order ) {
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
add_action( 'woocommerce_admin_order_data_after_billing_address', 'cfbe_show_answer' );
