<?php
/**
 * The plugin's configuration: the option `cfbe_settings` and the constant `CFBE_SALT`, and the origin of this site. Only
 * sites from an earlier version of the plugin have a salt; others sign with a key of their own, see `connection.php`.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

const CFBE_SALT_MIN_LENGTH = 32;
const CFBE_MAX_TAGS        = 20;
const CFBE_MAX_TAG_BYTES   = 1000;

/**
 * Returns every setting with its default.
 *
 * @return array
 */
function cfbe_defaults() {
	return array(
		'address'       => '',
		'salt'          => '',
		'list'          => '',
		'tags'          => '',
		'sitewide'      => false,
		'carts'         => false,
		'opt_in'        => false,
		'opt_in_label'  => '',
		'checkboxes'    => array(),
		'checkbox_form' => '',
	);
}

/**
 * Returns the saved settings.
 *
 * @return array
 */
function cfbe_settings() {
	return array_merge( cfbe_defaults(), (array) get_option( 'cfbe_settings', array() ) );
}

/**
 * Returns the URL of the cfbe server, without a trailing slash. Empty if not set.
 *
 * @return string
 */
function cfbe_server_url() {
	return cfbe_settings()['address'];
}

/**
 * Returns the origin of this site, as browsers send it: in lower case and ASCII, and without the usual port of the scheme.
 *
 * @return string
 */
function cfbe_site_origin() {
	$parts    = wp_parse_url( home_url() );
	$scheme   = strtolower( $parts['scheme'] );
	$is_usual = ! isset( $parts['port'] ) || ( 'https' === $scheme ? 443 : 80 ) === $parts['port'];
	return $scheme . '://' . cfbe_ascii_host( $parts['host'] ) . ( $is_usual ? '' : ':' . $parts['port'] );
}

/**
 * Returns a host in lower case and ASCII: müller.example as xn--mller-kva.example.
 *
 * @param string $host The host, as it was typed.
 * @return string
 */
function cfbe_ascii_host( $host ) {
	if ( ! preg_match( '/[^\x00-\x7F]/', $host ) ) {
		return strtolower( $host );
	}
	// WordPress had the second name before 6.2.
	$encoder = class_exists( 'WpOrg\Requests\IdnaEncoder' ) ? 'WpOrg\Requests\IdnaEncoder' : 'Requests_IDNAEncoder';
	try {
		return strtolower( $encoder::encode( function_exists( 'mb_strtolower' ) ? mb_strtolower( $host, 'UTF-8' ) : $host ) );
	} catch ( Exception $e ) {
		return strtolower( $host );
	}
}

/**
 * Returns the signing salt of the cfbe server, empty if this site has none. The constant in wp-config.php takes
 * precedence, because database backups do not contain it.
 *
 * @return string
 */
function cfbe_salt() {
	return defined( 'CFBE_SALT' ) ? (string) CFBE_SALT : cfbe_settings()['salt'];
}

/**
 * Returns the capability required to change the settings.
 *
 * @return string
 */
function cfbe_capability() {
	/**
	 * Filters the capability required to change cfbe's settings.
	 *
	 * @param string $capability `manage_options`.
	 */
	return (string) apply_filters( 'cfbe_capability', 'manage_options' );
}

/**
 * Parses tags separated by commas. Removes invalid tags, and tags that would not fit into the 4 KB of a signup
 * request.
 *
 * @param string $text For example `vip, spring`.
 * @return string[]
 */
function cfbe_parse_tags( $text ) {
	$tags  = array();
	$bytes = 0;
	foreach ( explode( ',', (string) $text ) as $tag ) {
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
 * Returns whether a text can be the name of a form. cfbe would reject others.
 *
 * @param string $text For example `footer`.
 * @return bool
 */
function cfbe_is_form_name( $text ) {
	return 1 === preg_match( '/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/D', $text );
}

/**
 * Normalizes the URL of a cfbe server, or of its admin. Without a scheme, it is https, except on this machine.
 *
 * @param string $url For example `news.example/`.
 * @return string|null Null if invalid.
 */
function cfbe_clean_url( $url ) {
	$url = trim( (string) $url );
	if ( '' === $url ) {
		return '';
	}
	if ( ! preg_match( '~^[a-z][a-z0-9+.-]*://~i', $url ) ) {
		$is_local = preg_match( '~^(localhost|127\.0\.0\.1|\[::1\])(:|/|$)~i', $url );
		$url      = ( $is_local ? 'http://' : 'https://' ) . $url;
	}
	$parts = wp_parse_url( $url );
	if ( ! $parts || empty( $parts['host'] ) || ! in_array( strtolower( $parts['scheme'] ), array( 'http', 'https' ), true ) ) {
		return null;
	}
	if ( isset( $parts['user'] ) || isset( $parts['query'] ) || isset( $parts['fragment'] ) ) {
		return null;
	}
	$port = isset( $parts['port'] ) ? ':' . $parts['port'] : '';
	// The URL of the admin, as people copy it, also of one of its pages.
	$path = isset( $parts['path'] ) ? rtrim( preg_replace( '~/admin(/.*)?$~', '', $parts['path'] ), '/' ) : '';
	return esc_url_raw( strtolower( $parts['scheme'] ) . '://' . strtolower( $parts['host'] ) . $port . $path );
}
