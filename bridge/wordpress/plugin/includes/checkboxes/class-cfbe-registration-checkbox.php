<?php
/**
 * The checkbox of WordPress's registration form.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Signs up people who register on wp-login.php. Users whom an admin creates are not signed up. */
class Cfbe_Registration_Checkbox extends Cfbe_Checkbox {
	/** @inheritDoc */
	public static function title() {
		return __( 'Registration', 'cfbe' );
	}

	/** @inheritDoc */
	public static function is_available() {
		// A network has its own page: see Cfbe_Network_Registration_Checkbox.
		return get_option( 'users_can_register' ) && ! is_multisite();
	}

	/** @inheritDoc */
	public function register() {
		$this->on( 'register_form', 'show', 0 );
		$this->on( 'register_new_user', 'read' );
	}

	/** Prints the checkbox. */
	protected function show() {
		echo $this->html(); // phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- escaped by html().
	}

	/**
	 * Reads a registration.
	 *
	 * @param int $user_id ID of the new user.
	 */
	protected function read( $user_id ) {
		$this->sign_up_if_ticked( get_userdata( $user_id )->user_email );
	}
}
