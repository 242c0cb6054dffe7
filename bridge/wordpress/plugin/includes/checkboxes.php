<?php
/**
 * Newsletter checkboxes in the forms of WordPress and of other plugins.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Names of the classes, by ID in the settings. Each has a file of its own in `checkboxes`. */
const CFBE_CHECKBOXES = array(
	'comments'             => 'Cfbe_Comments_Checkbox',
	'registration'         => 'Cfbe_Registration_Checkbox',
	'network_registration' => 'Cfbe_Network_Registration_Checkbox',
	'woocommerce_account'  => 'Cfbe_Woocommerce_Account_Checkbox',
	'contact_form_7'       => 'Cfbe_Contact_Form_7_Checkbox',
	'wpforms'              => 'Cfbe_Wpforms_Checkbox',
	'gravity_forms'        => 'Cfbe_Gravity_Forms_Checkbox',
	'elementor'            => 'Cfbe_Elementor_Checkbox',
);

/**
 * Returns the class of a checkbox, and loads its file.
 *
 * @param string $id ID of a form system.
 * @return string
 */
function cfbe_checkbox_class( $id ) {
	$class  = CFBE_CHECKBOXES[ $id ];
	$folder = __DIR__ . '/checkboxes/class-';
	require_once $folder . 'cfbe-checkbox.php';
	require_once $folder . str_replace( '_', '-', strtolower( $class ) ) . '.php';
	return $class;
}

/**
 * Returns the settings of a checkbox.
 *
 * @param string $id ID of a form system.
 * @return array `on` and `text`.
 */
function cfbe_checkbox_settings( $id ) {
	$saved = cfbe_settings()['checkboxes'];
	return array_merge(
		array(
			'on'   => false,
			'text' => '',
		),
		isset( $saved[ $id ] ) ? $saved[ $id ] : array()
	);
}

/** Shows the checkboxes that are turned on, in the form systems that are active. Without an API token, nobody could be signed up. */
function cfbe_start_checkboxes() {
	if ( '' === cfbe_server_url() || '' === cfbe_api_token() ) {
		return;
	}
	foreach ( array_keys( CFBE_CHECKBOXES ) as $id ) {
		$settings = cfbe_checkbox_settings( $id );
		if ( ! $settings['on'] || '' === $settings['text'] ) {
			continue;
		}
		$class = cfbe_checkbox_class( $id );
		if ( $class::is_available() ) {
			( new $class( $id, $settings['text'] ) )->register();
		}
	}
}
add_action( 'init', 'cfbe_start_checkboxes' );

/**
 * Returns the visitor's IP address, for the record of consent.
 *
 * @return string Empty if unknown.
 */
function cfbe_client_ip() {
	$address = isset( $_SERVER['REMOTE_ADDR'] ) ? sanitize_text_field( wp_unslash( $_SERVER['REMOTE_ADDR'] ) ) : '';
	/**
	 * Filters the visitor's IP address. Behind a proxy, return the one that the proxy passes on.
	 *
	 * @param string $address The address of the connection.
	 */
	return (string) filter_var( apply_filters( 'cfbe_client_ip', $address ), FILTER_VALIDATE_IP );
}

/**
 * Returns a text with a signature of this site, so that a form can carry what it shows.
 *
 * @param string $text The text.
 * @return string
 */
function cfbe_sign_text( $text ) {
	return cfbe_base64url( $text ) . '.' . wp_hash( 'cfbe_checkbox ' . $text );
}

/**
 * Returns the text in the result of `cfbe_sign_text`.
 *
 * @param mixed $value As sent by the form.
 * @return string|null Null if it was not signed by this site.
 */
function cfbe_signed_text( $value ) {
	$text = is_string( $value ) ? base64_decode( strtr( explode( '.', $value )[0], '-_', '+/' ), true ) : ''; // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_decode
	return $text && hash_equals( cfbe_sign_text( $text ), $value ) ? $text : null;
}
