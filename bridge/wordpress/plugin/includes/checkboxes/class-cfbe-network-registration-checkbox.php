<?php
/**
 * The checkbox of a network's registration page.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

require_once dirname( __DIR__ ) . '/network-registrations.php';

/** Signs up people who register on wp-signup.php once they have activated their account, so that a bot mails nobody. */
class Cfbe_Network_Registration_Checkbox extends Cfbe_Checkbox {
	/** @inheritDoc */
	public static function title() {
		return __( 'Registration on the network', 'cfbe' );
	}

	/** @inheritDoc */
	public static function is_available() {
		if ( ! is_multisite() || ! is_main_site() || ! in_array( get_site_option( 'registration' ), array( 'user', 'all' ), true ) ) {
			return false;
		}
		// The page that activates accounts loads only the plugins that are active on the whole network.
		return isset( get_site_option( 'active_sitewide_plugins' )[ plugin_basename( CFBE_PLUGIN_FILE ) ] );
	}

	/** @inheritDoc */
	public function register() {
		$this->on( 'signup_extra_fields', 'show', 0 );
		$this->on( 'signup_hidden_fields', 'keep' );
		$this->change( 'add_signup_meta', 'add_opt_in' );
		$this->change( 'wp_initialize_site_args', 'remove_from_site' );
		$this->on( 'wpmu_activate_user', 'sign_up_user', 3 );
		$this->on( 'wpmu_activate_blog', 'sign_up_owner', 5 );
	}

	/** Prints the checkbox. */
	protected function show() {
		echo $this->html(); // phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- escaped by html().
	}

	/**
	 * Keeps the tick on the second page, which asks for the name of the new site.
	 *
	 * @param string $page `validate-site` for the second page.
	 */
	protected function keep( $page ) {
		$text = $this->ticked_text();
		if ( 'validate-site' === $page && null !== $text ) {
			printf( '<input type="hidden" name="%s" value="%s">', esc_attr( self::FIELD ), esc_attr( cfbe_sign_text( $text ) ) );
		}
	}

	/**
	 * Adds what the person agreed to.
	 *
	 * @param array $meta Data of the registration.
	 * @return array
	 */
	protected function add_opt_in( $meta ) {
		$opt_in = $this->opt_in();
		return null === $opt_in ? $meta : array_merge( $meta, array( CFBE_REGISTRATION_OPT_IN => $opt_in ) );
	}

	/**
	 * Keeps the opt-in out of the new site's options, to which WordPress copies the data of the registration.
	 *
	 * @param array $args `options` of the new site.
	 * @return array
	 */
	protected function remove_from_site( $args ) {
		unset( $args['options'][ CFBE_REGISTRATION_OPT_IN ] );
		return $args;
	}

	/**
	 * Signs up someone who registered without a site.
	 *
	 * @param int    $user_id  ID of the user.
	 * @param string $password Not used.
	 * @param array  $meta     Data of the registration.
	 */
	protected function sign_up_user( $user_id, $password, $meta ) {
		$email = get_userdata( $user_id )->user_email;
		if ( isset( $meta[ CFBE_REGISTRATION_OPT_IN ] ) && is_array( $meta[ CFBE_REGISTRATION_OPT_IN ] ) ) {
			$this->sign_up( $email, $meta[ CFBE_REGISTRATION_OPT_IN ] );
		}
		cfbe_remove_registration_opt_ins( $email, true );
	}

	/**
	 * Signs up someone who registered with a site.
	 *
	 * @param int    $blog_id  ID of the site.
	 * @param int    $user_id  ID of the user.
	 * @param string $password Not used.
	 * @param string $title    Not used.
	 * @param array  $meta     Data of the registration.
	 */
	protected function sign_up_owner( $blog_id, $user_id, $password, $title, $meta ) {
		$this->sign_up_user( $user_id, $password, $meta );
	}
}
