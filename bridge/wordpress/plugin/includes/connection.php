<?php
/**
 * Looks whether forms can work, and says what is wrong.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** How long each question may take, in seconds. */
const CFBE_CHECK_TIMEOUT = 5;

/**
 * Asks the service.
 *
 * @param string $path    Of it.
 * @param array  $headers To send.
 * @return array|WP_Error As `wp_remote_get`.
 */
function cfbe_ask( $path, array $headers = array() ) {
	return wp_remote_get(
		cfbe_address() . $path,
		array(
			'timeout'     => CFBE_CHECK_TIMEOUT,
			'redirection' => 0,
			'headers'     => $headers,
		)
	);
}

/**
 * The whole check. What makes everything behind it pointless ends it.
 *
 * @return array Of `[ kind, text ]`; kind is `success`, `warning` or `error`.
 */
function cfbe_check_connection() {
	$health = cfbe_ask( '/healthz' );
	if ( is_wp_error( $health ) ) {
		/* translators: 1: address, 2: error message */
		return array( array( 'error', sprintf( __( '%1$s does not answer: %2$s', 'cfbe' ), cfbe_address(), $health->get_error_message() ) ) );
	}
	$status = wp_remote_retrieve_response_code( $health );
	$told   = json_decode( wp_remote_retrieve_body( $health ), true );
	if ( 200 !== $status || ! is_array( $told ) || ! isset( $told['service'] ) || 'cfbe' !== $told['service'] ) {
		/* translators: 1: address, 2: HTTP status */
		return array( array( 'error', sprintf( __( '%1$s answers with HTTP %2$d, and is no cfbe service. Does the address lack a path?', 'cfbe' ), cfbe_address(), $status ) ) );
	}

	/* translators: %s: address */
	$findings = array( array( 'success', sprintf( __( 'The service answers at %s.', 'cfbe' ), cfbe_address() ) ) );
	$origin   = cfbe_site_origin();
	$answer   = cfbe_ask( '/cfbe.json?locale=' . rawurlencode( get_bloginfo( 'language' ) ), array( 'Origin' => $origin ) );
	$settings = is_wp_error( $answer ) ? null : json_decode( wp_remote_retrieve_body( $answer ), true );
	if ( ! is_array( $settings ) ) {
		$findings[] = array( 'error', __( 'Its settings (cfbe.json) can’t be read. Is something in front of it that changes or refuses answers?', 'cfbe' ) );
		return $findings;
	}
	return array_values(
		array_filter(
			array_merge(
				$findings,
				array(
					cfbe_check_scheme(),
					cfbe_check_origin( $origin, wp_remote_retrieve_header( $answer, 'access-control-allow-origin' ) ),
					cfbe_check_script(),
					cfbe_check_token(),
					cfbe_check_salt( isset( $settings['cfg'] ) ? $settings['cfg'] : '' ),
					cfbe_check_popup( $settings ),
					cfbe_check_carts(),
					cfbe_check_api_token(),
					cfbe_name_forms( $settings ),
				)
			)
		)
	);
}

/**
 * What browsers call this site.
 *
 * @return string
 */
function cfbe_site_origin() {
	$parts = wp_parse_url( home_url() );
	return $parts['scheme'] . '://' . $parts['host'] . ( isset( $parts['port'] ) ? ':' . $parts['port'] : '' );
}

/** Browsers load nothing over http into a page that came over https. */
function cfbe_check_scheme() {
	if ( 'https' === wp_parse_url( home_url(), PHP_URL_SCHEME ) && 0 === strpos( cfbe_address(), 'http:' ) ) {
		return array( 'error', __( 'This site is on https and the service on http: browsers refuse to load it.', 'cfbe' ) );
	}
}

/**
 * The service may allow some origins alone.
 *
 * @param string $origin  This site's.
 * @param string $allowed What the service says.
 */
function cfbe_check_origin( $origin, $allowed ) {
	if ( '*' !== $allowed && $origin !== $allowed ) {
		/* translators: %s: origin such as https://shop.example */
		return array( 'error', sprintf( __( 'The service allows other origins, and not %s: add it on its General tab.', 'cfbe' ), $origin ) );
	}
}

/** The loader itself. */
function cfbe_check_script() {
	$answer = cfbe_ask( '/cfbe.js' );
	$type   = (string) wp_remote_retrieve_header( $answer, 'content-type' );
	if ( is_wp_error( $answer ) || 200 !== wp_remote_retrieve_response_code( $answer ) || false === strpos( $type, 'javascript' ) ) {
		return array( 'error', __( 'Its script (cfbe.js) does not come, or not as a script.', 'cfbe' ) );
	}
}

/** A token that a cache keeps makes signups vanish. */
function cfbe_check_token() {
	$answer = cfbe_ask( '/wp-json/cfbe/v1/form-token' );
	if ( is_wp_error( $answer ) || 200 !== wp_remote_retrieve_response_code( $answer ) ) {
		return array( 'error', __( 'It gives out no form token (/wp-json/cfbe/v1/form-token): no signup would be accepted.', 'cfbe' ) );
	}
	if ( false === strpos( (string) wp_remote_retrieve_header( $answer, 'cache-control' ), 'no-store' ) ) {
		return array( 'error', __( 'Something in front of the service makes its form token cacheable: exempt /wp-json/cfbe/ from caching.', 'cfbe' ) );
	}
}

/**
 * The service's own signature shows whether the salt is the same.
 *
 * @param mixed $cfg Signed by the service.
 */
function cfbe_check_salt( $cfg ) {
	$salt = cfbe_salt();
	if ( '' === $salt ) {
		return array( 'warning', __( 'Without the signing salt a form can be named, but lists, tags and placements of shortcodes and blocks don’t count, and the service can’t empty page caches here.', 'cfbe' ) );
	}
	return cfbe_is_signed_config( $cfg, $salt )
		? array( 'success', __( 'The signing salt is the service’s.', 'cfbe' ) )
		: array( 'error', __( 'The signing salt is not the service’s: lists, tags and placements of shortcodes and blocks are ignored there.', 'cfbe' ) );
}

/**
 * A popup that is switched on at one end only.
 *
 * @param array $settings The service's public ones.
 */
function cfbe_check_popup( array $settings ) {
	if ( cfbe_settings()['sitewide'] && ! isset( $settings['popup']['rules'] ) ) {
		return array( 'warning', __( 'The popup is switched off on the service’s Popup tab.', 'cfbe' ) );
	}
}

/** Carts that are told to a service which takes none. */
function cfbe_check_carts() {
	if ( ! cfbe_settings()['carts'] ) {
		return null;
	}
	$answer = cfbe_ask( '/checkout-session' );
	if ( is_wp_error( $answer ) || 200 !== wp_remote_retrieve_response_code( $answer ) ) {
		return array( 'warning', __( 'The service takes no carts: its module “carts” is off.', 'cfbe' ) );
	}
}

/** An API token that the service does not know would fail only when an agent asks. */
function cfbe_check_api_token() {
	if ( '' === cfbe_api_token() ) {
		return null;
	}
	$answer = cfbe_ask_question( 'counts', array( 'hours' => 1 ) );
	return is_wp_error( $answer )
		? array( 'error', $answer->get_error_message() )
		: array( 'success', __( 'The API token is the service’s: AI agents can ask about signups.', 'cfbe' ) );
}

/**
 * Which forms a page may name.
 *
 * @param array $settings The service's public ones.
 */
function cfbe_name_forms( array $settings ) {
	$names = isset( $settings['forms'] ) && is_array( $settings['forms'] ) ? array_keys( $settings['forms'] ) : array();
	if ( $names ) {
		/* translators: %s: names of forms, separated by commas */
		return array( 'success', sprintf( __( 'Forms that a page may name: %s', 'cfbe' ), implode( ', ', $names ) ) );
	}
}
