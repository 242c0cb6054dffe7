<?php
/**
 * Checks whether forms can work with the configured server, and reports problems.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Timeout of each request, in seconds. */
const CFBE_CHECK_TIMEOUT = 5;

/**
 * Sends a GET request to the cfbe server.
 *
 * @param string $path    Path on the server.
 * @param array  $headers Request headers.
 * @return array|WP_Error As `wp_remote_get`.
 */
function cfbe_fetch( $path, array $headers = array() ) {
	return wp_remote_get(
		cfbe_server_url() . $path,
		array(
			'timeout'     => CFBE_CHECK_TIMEOUT,
			'redirection' => 0,
			'headers'     => $headers,
		)
	);
}

/**
 * Runs all checks. Stops early if the remaining checks cannot succeed.
 *
 * @return array List of `[ kind, text ]`; kind is `success`, `warning` or `error`.
 */
function cfbe_check_connection() {
	$health = cfbe_fetch( '/healthz' );
	if ( is_wp_error( $health ) ) {
		/* translators: 1: URL, 2: error message */
		return array( array( 'error', sprintf( __( 'Could not reach %1$s: %2$s', 'cfbe' ), cfbe_server_url(), $health->get_error_message() ) ) );
	}
	$status = wp_remote_retrieve_response_code( $health );
	$body   = json_decode( wp_remote_retrieve_body( $health ), true );
	if ( 200 !== $status || ! is_array( $body ) || ! isset( $body['service'] ) || 'cfbe' !== $body['service'] ) {
		/* translators: 1: URL, 2: HTTP status */
		return array( array( 'error', sprintf( __( 'No cfbe server found at %1$s (HTTP %2$d). Check that the URL includes the path, if there is one.', 'cfbe' ), cfbe_server_url(), $status ) ) );
	}

	/* translators: %s: URL */
	$findings = array( array( 'success', sprintf( __( 'Connected to cfbe at %s.', 'cfbe' ), cfbe_server_url() ) ) );
	$origin   = cfbe_site_origin();
	$response = cfbe_fetch( '/cfbe.json?locale=' . rawurlencode( get_bloginfo( 'language' ) ), array( 'Origin' => $origin ) );
	$settings = is_wp_error( $response ) ? null : json_decode( wp_remote_retrieve_body( $response ), true );
	if ( ! is_array( $settings ) ) {
		$findings[] = array( 'error', __( 'The settings of the cfbe server (cfbe.json) can’t be read. Check whether a proxy or firewall in front of it changes or blocks responses.', 'cfbe' ) );
		return $findings;
	}
	return array_values(
		array_filter(
			array_merge(
				$findings,
				array(
					cfbe_check_scheme(),
					cfbe_check_origin( $origin, wp_remote_retrieve_header( $response, 'access-control-allow-origin' ) ),
					cfbe_check_script(),
					cfbe_check_token(),
					cfbe_check_salt( isset( $settings['cfg'] ) ? $settings['cfg'] : '' ),
					cfbe_check_popup( $settings ),
					cfbe_check_carts(),
					cfbe_check_api_token(),
					cfbe_check_signup_queue(),
					cfbe_list_forms( $settings ),
				)
			)
		)
	);
}

/**
 * Returns the origin of this site, as browsers send it.
 *
 * @return string
 */
function cfbe_site_origin() {
	$parts = wp_parse_url( home_url() );
	return $parts['scheme'] . '://' . $parts['host'] . ( isset( $parts['port'] ) ? ':' . $parts['port'] : '' );
}

/** Reports mixed content, which browsers block. */
function cfbe_check_scheme() {
	if ( 'https' === wp_parse_url( home_url(), PHP_URL_SCHEME ) && 0 === strpos( cfbe_server_url(), 'http:' ) ) {
		return array( 'error', __( 'This site uses https, but the cfbe server uses http. Browsers block that: serve cfbe over https.', 'cfbe' ) );
	}
}

/**
 * Reports when the server does not allow this site's origin.
 *
 * @param string $origin  Origin of this site.
 * @param string $allowed The server's `Access-Control-Allow-Origin`.
 */
function cfbe_check_origin( $origin, $allowed ) {
	if ( '*' !== $allowed && $origin !== $allowed ) {
		/* translators: %s: origin such as https://shop.example */
		return array( 'error', sprintf( __( 'cfbe does not allow this site’s origin. Add %s to the allowed origins on the General page of the cfbe admin.', 'cfbe' ), $origin ) );
	}
}

/** Reports when the loader script is not served. */
function cfbe_check_script() {
	$response = cfbe_fetch( '/cfbe.js' );
	$type     = (string) wp_remote_retrieve_header( $response, 'content-type' );
	if ( is_wp_error( $response ) || 200 !== wp_remote_retrieve_response_code( $response ) || false === strpos( $type, 'javascript' ) ) {
		return array( 'error', __( 'The script cfbe.js can’t be loaded, or is not served as JavaScript.', 'cfbe' ) );
	}
}

/** Reports when form tokens are missing or cacheable. Signups with a cached token are dropped. */
function cfbe_check_token() {
	$response = cfbe_fetch( '/wp-json/cfbe/v1/form-token' );
	if ( is_wp_error( $response ) || 200 !== wp_remote_retrieve_response_code( $response ) ) {
		return array( 'error', __( 'No form token can be fetched from /wp-json/cfbe/v1/form-token, so forms can’t accept signups.', 'cfbe' ) );
	}
	if ( false === strpos( (string) wp_remote_retrieve_header( $response, 'cache-control' ), 'no-store' ) ) {
		return array( 'error', __( 'A cache in front of the cfbe server may store form tokens. Exclude /wp-json/cfbe/ from caching.', 'cfbe' ) );
	}
}

/**
 * Compares the salts, by a signature that the server made.
 *
 * @param mixed $cfg A `cfbe_cfg` signed by the server.
 */
function cfbe_check_salt( $cfg ) {
	$salt = cfbe_salt();
	if ( '' === $salt ) {
		return array( 'warning', __( 'No signing salt is set. Named forms work, but the lists, tags and placements of shortcodes and blocks are ignored, and cfbe can’t empty the page caches of this site.', 'cfbe' ) );
	}
	return cfbe_is_signed_config( $cfg, $salt )
		? array( 'success', __( 'The signing salt matches the cfbe server.', 'cfbe' ) )
		: array( 'error', __( 'The signing salt does not match the cfbe server, which therefore ignores the lists, tags and placements of shortcodes and blocks. Copy it again.', 'cfbe' ) );
}

/**
 * Reports when the popup is on in WordPress but off in cfbe.
 *
 * @param array $settings Public settings of the server.
 */
function cfbe_check_popup( array $settings ) {
	if ( cfbe_settings()['sitewide'] && ! isset( $settings['popup']['rules'] ) ) {
		return array( 'warning', __( 'The popup is turned off on the Popup page of the cfbe admin.', 'cfbe' ) );
	}
}

/** Reports when the plugin sends carts that the server does not accept. */
function cfbe_check_carts() {
	if ( ! cfbe_settings()['carts'] ) {
		return null;
	}
	$response = cfbe_fetch( '/checkout-session' );
	if ( is_wp_error( $response ) || 200 !== wp_remote_retrieve_response_code( $response ) ) {
		return array( 'warning', __( 'cfbe does not accept carts. Turn on the “carts” module on the General page of the cfbe admin.', 'cfbe' ) );
	}
}

/** Checks the API token. Otherwise a wrong one would fail only when an agent uses it. */
function cfbe_check_api_token() {
	if ( '' === cfbe_api_token() ) {
		return null;
	}
	$response = cfbe_query( 'counts', array( 'hours' => 1 ) );
	return is_wp_error( $response )
		? array( 'error', $response->get_error_message() )
		: array( 'success', __( 'The API token is valid. AI agents can query signups.', 'cfbe' ) );
}

/**
 * Lists the forms that shortcodes and blocks can use.
 *
 * @param array $settings Public settings of the server.
 */
function cfbe_list_forms( array $settings ) {
	$names = isset( $settings['forms'] ) && is_array( $settings['forms'] ) ? array_keys( $settings['forms'] ) : array();
	if ( $names ) {
		/* translators: %s: names of forms, separated by commas */
		return array( 'success', sprintf( __( 'Available forms: %s', 'cfbe' ), implode( ', ', $names ) ) );
	}
}
