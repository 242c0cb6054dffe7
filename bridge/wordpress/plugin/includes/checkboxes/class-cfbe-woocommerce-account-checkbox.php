<?php
/**
 * The checkbox of WooCommerce's page "My account".
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Signs up customers who register there, or who save their account details. */
class Cfbe_Woocommerce_Account_Checkbox extends Cfbe_Checkbox {
	/** @inheritDoc */
	public static function title() {
		return __( 'My account (WooCommerce)', 'cfbe' );
	}

	/** @inheritDoc */
	public static function is_available() {
		return class_exists( 'WooCommerce' );
	}

	/** @inheritDoc */
	public function register() {
		$this->on( 'woocommerce_register_form', 'show', 0 );
		$this->on( 'woocommerce_created_customer', 'read' );
		$this->on( 'woocommerce_edit_account_form', 'show', 0 );
		$this->on( 'woocommerce_save_account_details', 'read' );
	}

	/** Prints the checkbox. */
	protected function show() {
		echo $this->html(); // phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- escaped by html().
	}

	/**
	 * Reads a registration or saved details.
	 *
	 * @param int $user_id ID of the customer.
	 */
	protected function read( $user_id ) {
		$this->sign_up_if_ticked( get_userdata( $user_id )->user_email );
	}
}
