<?php
/**
 * The newsletter checkbox at the checkout. The order stores the answer as `_cfbe_opt_in` (`yes` or `no`), the text that
 * was shown as `_cfbe_opt_in_text`, and `_cfbe_locale`. cfbe reads them from WooCommerce's order webhook.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

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
 * Adds the text to the checkbox, signed, because the setting may change while the checkout is open.
 *
 * @param string $html HTML of a field.
 * @param string $name Name of the field.
 * @return string
 */
function cfbe_add_shown_text( $html, $name ) {
	return 'cfbe_opt_in' !== $name
		? $html
		: $html . sprintf( '<input type="hidden" name="cfbe_opt_in_text" value="%s">', esc_attr( cfbe_sign_text( cfbe_settings()['opt_in_label'] ) ) );
}
add_filter( 'woocommerce_form_field_checkbox', 'cfbe_add_shown_text', 10, 2 );

/**
 * Stores the answer given at a classic checkout.
 *
 * @param WC_Order $order The order being created.
 * @param array    $data  Posted data, parsed by WooCommerce.
 */
function cfbe_save_classic_opt_in( $order, $data ) {
	// WooCommerce has already checked the checkout's nonce.
	$shown = isset( $_POST['cfbe_opt_in_text'] ) ? sanitize_text_field( wp_unslash( $_POST['cfbe_opt_in_text'] ) ) : ''; // phpcs:ignore WordPress.Security.NonceVerification.Missing
	cfbe_save_opt_in( $order, ! empty( $data['cfbe_opt_in'] ), $shown );
}
add_action( 'woocommerce_checkout_create_order', 'cfbe_save_classic_opt_in', 10, 2 );

/**
 * Adds the checkbox to the checkout block, below the email address.
 *
 * @param \Automattic\WooCommerce\Blocks\Integrations\IntegrationRegistry $integrations Those of the block.
 */
function cfbe_add_opt_in_block( $integrations ) {
	require_once __DIR__ . '/class-cfbe-opt-in-block.php';
	$integrations->register( new Cfbe_Opt_In_Block() );
}
add_action( 'woocommerce_blocks_checkout_block_registration', 'cfbe_add_opt_in_block' );

/**
 * Stores the answer given on the checkout block.
 *
 * @param WC_Order        $order   The order.
 * @param WP_REST_Request $request With what the page's scripts have added.
 */
function cfbe_save_block_opt_in( $order, $request ) {
	$sent = cfbe_block_data( $request );
	if ( isset( $sent['opt_in'] ) ) {
		cfbe_save_opt_in( $order, true === $sent['opt_in'], isset( $sent['shown'] ) ? $sent['shown'] : '' );
	}
}
add_action( 'woocommerce_store_api_checkout_update_order_from_request', 'cfbe_save_block_opt_in', 10, 2 );

/**
 * Adds the answer to the order's metadata. WooCommerce saves the order.
 *
 * @param WC_Order $order  The order.
 * @param bool     $ticked Whether the checkbox was ticked.
 * @param string   $shown  The text beside it, signed.
 */
function cfbe_save_opt_in( $order, $ticked, $shown ) {
	$text = cfbe_signed_text( $shown );
	$order->update_meta_data( '_cfbe_opt_in', $ticked ? 'yes' : 'no' );
	$order->update_meta_data( '_cfbe_opt_in_text', null === $text ? cfbe_settings()['opt_in_label'] : $text );
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
