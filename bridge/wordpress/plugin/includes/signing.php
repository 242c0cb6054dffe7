<?php
/**
 * Signatures compatible with cfbe: HMAC-SHA256 with a key that HKDF-SHA256 derives from this site's key, or else from
 * the salt, one key per purpose, encoded as base64url without padding.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/**
 * Encodes bytes as base64url without padding.
 *
 * @param string $bytes The bytes.
 * @return string
 */
function cfbe_base64url( $bytes ) {
	return rtrim( strtr( base64_encode( $bytes ), '+/', '-_' ), '=' ); // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_encode
}

/**
 * Signs a text.
 *
 * @param string $purpose Purpose of the signature, such as `cfbe/form-config`.
 * @param string $text    The text.
 * @param string $secret  This site's key, or the signing salt.
 * @return string
 */
function cfbe_sign( $purpose, $text, $secret ) {
	$key = hash_hkdf( 'sha256', $secret, 32, $purpose, '' );
	return cfbe_base64url( hash_hmac( 'sha256', $text, $key, true ) );
}

/**
 * Returns a signed `cfbe_cfg`.
 *
 * @param array $config `list`, `tags`, `placement`, `form`. Empty values are omitted.
 * @return string `<payload>.<site>.<signature>` with a key of this site's own, `<payload>.<signature>` with the salt. Empty without a configuration or a key.
 */
function cfbe_signed_config( array $config ) {
	$site   = cfbe_site_key();
	$salt   = cfbe_salt();
	$config = array_filter( $config );
	if ( ( null === $site && '' === $salt ) || array() === $config ) {
		return '';
	}
	$json = wp_json_encode( $config, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE );
	if ( false === $json ) {
		return '';
	}
	$payload = cfbe_base64url( $json );
	return null === $site
		? $payload . '.' . cfbe_sign( 'cfbe/form-config', $payload, $salt )
		: $payload . '.' . $site['id'] . '.' . cfbe_sign( 'cfbe/form-config', $payload, $site['key'] );
}

/**
 * Returns whether a `cfbe_cfg` was signed with a salt.
 *
 * @param mixed  $cfg  The value to check.
 * @param string $salt The signing salt.
 * @return bool
 */
function cfbe_is_signed_config( $cfg, $salt ) {
	if ( ! is_string( $cfg ) || '' === $salt || 1 !== substr_count( $cfg, '.' ) ) {
		return false;
	}
	list( $payload, $signature ) = explode( '.', $cfg );
	return hash_equals( cfbe_sign( 'cfbe/form-config', $payload, $salt ), $signature );
}
