<?php
/**
 * What is configured: one option, `cfbe_settings`, and the constant `CFBE_SALT`.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

const CFBE_SALT_MIN_LENGTH = 32;
const CFBE_MAX_TAGS        = 20;
const CFBE_MAX_TAG_BYTES   = 1000;

/**
 * Every setting, with its default.
 *
 * @return array
 */
function cfbe_defaults() {
	return array(
		'address'      => '',
		'salt'         => '',
		'list'         => '',
		'tags'         => '',
		'sitewide'     => false,
		'carts'        => false,
		'opt_in'       => false,
		'opt_in_label' => '',
	);
}

/**
 * The settings as saved.
 *
 * @return array
 */
function cfbe_settings() {
	return array_merge( cfbe_defaults(), (array) get_option( 'cfbe_settings', array() ) );
}

/**
 * Address of the service, without a slash at its end; empty while there is none.
 *
 * @return string
 */
function cfbe_address() {
	return cfbe_settings()['address'];
}

/**
 * The service's signing salt. The constant in wp-config.php wins: it is in no back-up of the database.
 *
 * @return string
 */
function cfbe_salt() {
	return defined( 'CFBE_SALT' ) ? (string) CFBE_SALT : cfbe_settings()['salt'];
}

/**
 * Who may change the settings.
 *
 * @return string
 */
function cfbe_capability() {
	/**
	 * Filters the capability that cfbe's settings ask for.
	 *
	 * @param string $capability `manage_options`.
	 */
	return (string) apply_filters( 'cfbe_capability', 'manage_options' );
}

/**
 * Makes a list of tags of what somebody wrote, separated by commas. What can't be a tag is left out, and so is
 * what is too much for the 4 KB of a signup.
 *
 * @param string $written For example `vip, spring`.
 * @return string[]
 */
function cfbe_tags( $written ) {
	$tags  = array();
	$bytes = 0;
	foreach ( explode( ',', (string) $written ) as $tag ) {
		$tag = trim( $tag );
		if ( ! preg_match( '/^[\p{L}\p{N}][\p{L}\p{N} _.:-]{0,63}$/u', $tag ) || in_array( $tag, $tags, true ) ) {
			continue;
		}
		$bytes += strlen( $tag );
		if ( count( $tags ) === CFBE_MAX_TAGS || $bytes > CFBE_MAX_TAG_BYTES ) {
			break;
		}
		$tags[] = $tag;
	}
	return $tags;
}

/**
 * Makes an address of the service of what somebody typed.
 *
 * @param string $typed For example `news.example/`.
 * @return string|null Null when it is none.
 */
function cfbe_clean_address( $typed ) {
	$typed = trim( (string) $typed );
	if ( '' === $typed ) {
		return '';
	}
	if ( ! preg_match( '~^[a-z][a-z0-9+.-]*://~i', $typed ) ) {
		$typed = 'https://' . $typed;
	}
	$parts = wp_parse_url( $typed );
	if ( ! $parts || empty( $parts['host'] ) || ! in_array( strtolower( $parts['scheme'] ), array( 'http', 'https' ), true ) ) {
		return null;
	}
	if ( isset( $parts['user'] ) || isset( $parts['query'] ) || isset( $parts['fragment'] ) ) {
		return null;
	}
	$port = isset( $parts['port'] ) ? ':' . $parts['port'] : '';
	$path = isset( $parts['path'] ) ? rtrim( $parts['path'], '/' ) : '';
	return esc_url_raw( strtolower( $parts['scheme'] ) . '://' . strtolower( $parts['host'] ) . $port . $path );
}
