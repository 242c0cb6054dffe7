<?php
/**
 * Signatures as the service makes them: HMAC-SHA256 under a key that HKDF-SHA256 derives from the salt, one key a
 * purpose, written as base64url without padding.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/**
 * Base64 as addresses and attributes can hold it.
 *
 * @param string $bytes Anything.
 * @return string
 */
function cfbe_base64url( $bytes ) {
	return rtrim( strtr( base64_encode( $bytes ), '+/', '-_' ), '=' ); // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_encode
}

/**
 * Signs a text.
 *
 * @param string $purpose What the signature is for, such as `cfbe/form-config`.
 * @param string $text    What is signed.
 * @param string $salt    The service's salt.
 * @return string
 */
function cfbe_sign( $purpose, $text, $salt ) {
	$key = hash_hkdf( 'sha256', $salt, 32, $purpose, '' );
	return cfbe_base64url( hash_hmac( 'sha256', $text, $key, true ) );
}

/**
 * A signed `cfbe_cfg`.
 *
 * @param array $config `list`, `tags`, `placement`, `form`: what is empty is left out.
 * @return string `<payload>.<signature>`; empty when there is nothing to sign, or no salt.
 */
function cfbe_signed_config( array $config ) {
	$salt   = cfbe_salt();
	$config = array_filter( $config );
	if ( '' === $salt || array() === $config ) {
		return '';
	}
	$json = wp_json_encode( $config, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE );
	if ( false === $json ) {
		return '';
	}
	$payload = cfbe_base64url( $json );
	return $payload . '.' . cfbe_sign( 'cfbe/form-config', $payload, $salt );
}

/**
 * Whether a `cfbe_cfg` was signed with a salt.
 *
 * @param mixed  $cfg  Whatever was found.
 * @param string $salt The salt in question.
 * @return bool
 */
function cfbe_is_signed_config( $cfg, $salt ) {
	if ( ! is_string( $cfg ) || '' === $salt || 1 !== substr_count( $cfg, '.' ) ) {
		return false;
	}
	list( $payload, $signature ) = explode( '.', $cfg );
	return hash_equals( cfbe_sign( 'cfbe/form-config', $payload, $salt ), $signature );
}
