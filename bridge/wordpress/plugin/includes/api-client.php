<?php
/**
 * Calls the operator API of the cfbe server, which requires its API token.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Timeout of a query, in seconds. */
const CFBE_QUERY_TIMEOUT = 15;

/** Timeout of a check of pending signups, in seconds. It waits for the email provider. */
const CFBE_POLL_TIMEOUT = 60;

/** Longest response that is read. */
const CFBE_MAX_RESPONSE_BYTES = MB_IN_BYTES;

/**
 * Returns the API token of the cfbe server: that in wp-config.php, or else that of the connection. No database backup
 * contains it: the connection's is stored encrypted.
 *
 * @return string Empty if not set.
 */
function cfbe_api_token() {
	if ( defined( 'CFBE_API_TOKEN' ) ) {
		return (string) CFBE_API_TOKEN;
	}
	$connection = cfbe_connection();
	return null === $connection ? '' : $connection['token'];
}

/**
 * Runs a query on the cfbe server.
 *
 * @param string $query Such as `counts`.
 * @param array  $input Parameters of the query.
 * @return array|WP_Error The response. Nested objects stay objects, so that an empty one is not encoded as a list.
 */
function cfbe_query( $query, array $input = array() ) {
	$body = cfbe_post( '/ops/' . $query, $input, CFBE_QUERY_TIMEOUT );
	return is_wp_error( $body ) ? $body : cfbe_parse_response( $body );
}

/**
 * Checks pending signups now.
 *
 * @return array|WP_Error The last line of the response, which has one line per step.
 */
function cfbe_poll() {
	$body = cfbe_post( '/ops/poll', array(), CFBE_POLL_TIMEOUT );
	if ( is_wp_error( $body ) ) {
		return $body;
	}
	$lines = explode( "\n", rtrim( $body ) );
	return cfbe_parse_response( end( $lines ) );
}

/**
 * Sends a POST request with JSON and the API token.
 *
 * @param string $path    Path on the server.
 * @param array  $input   Request body.
 * @param int    $timeout In seconds.
 * @return string|WP_Error Body of the response.
 */
function cfbe_post( $path, array $input, $timeout ) {
	$response = cfbe_request( $path, $input, $timeout );
	if ( is_wp_error( $response ) ) {
		return $response;
	}
	list( $status, $body ) = $response;
	return 200 === $status ? $body : cfbe_response_error( $status, $body );
}

/**
 * Sends a POST request with JSON and the API token, and returns any response except a rejection of the token.
 *
 * @param string $path    Path on the server.
 * @param array  $input   Request body.
 * @param int    $timeout In seconds.
 * @return array|WP_Error HTTP status and body.
 */
function cfbe_request( $path, array $input, $timeout ) {
	if ( '' === cfbe_server_url() ) {
		return new WP_Error( 'cfbe_no_address', __( 'Enter the URL of your cfbe server under Settings → cfbe.', 'cfbe' ), array( 'status' => 503 ) );
	}
	if ( '' === cfbe_api_token() ) {
		return new WP_Error( 'cfbe_no_token', __( 'The API token is missing. Set CFBE_API_TOKEN in wp-config.php to the token of your cfbe server.', 'cfbe' ), array( 'status' => 503 ) );
	}
	$response = wp_remote_post(
		cfbe_server_url() . $path,
		array(
			'timeout'             => $timeout,
			// Never send the token to another URL than the one entered.
			'redirection'         => 0,
			'limit_response_size' => CFBE_MAX_RESPONSE_BYTES,
			'headers'             => array(
				'Authorization' => 'Bearer ' . cfbe_api_token(),
				'Content-Type'  => 'application/json',
			),
			'body'                => wp_json_encode( (object) $input ),
		)
	);
	if ( is_wp_error( $response ) ) {
		/* translators: 1: URL, 2: error message */
		return new WP_Error( 'cfbe_unreachable', sprintf( __( 'Could not reach %1$s: %2$s', 'cfbe' ), cfbe_server_url(), $response->get_error_message() ), array( 'status' => 502 ) );
	}
	$status = wp_remote_retrieve_response_code( $response );
	if ( 401 === $status ) {
		return new WP_Error( 'cfbe_wrong_token', __( 'cfbe rejected the API token. Copy it into CFBE_API_TOKEN in wp-config.php again.', 'cfbe' ), array( 'status' => 502 ) );
	}
	return array( $status, wp_remote_retrieve_body( $response ) );
}

/**
 * Returns the error that a response describes.
 *
 * @param int    $status HTTP status.
 * @param string $body   Response body.
 * @return WP_Error
 */
function cfbe_response_error( $status, $body ) {
	$parsed = json_decode( $body, true );
	if ( 400 === $status && isset( $parsed['error'] ) && is_string( $parsed['error'] ) ) {
		return new WP_Error( 'cfbe_invalid', $parsed['error'], array( 'status' => 400 ) );
	}
	// The API token lacks a scope, which the message names. Queries and actions report errors under different names.
	$refused = $parsed['error'] ?? $parsed['message'] ?? null;
	if ( 403 === $status && is_string( $refused ) ) {
		return new WP_Error( 'cfbe_not_allowed', $refused, array( 'status' => 502 ) );
	}
	/* translators: %d: HTTP status */
	return new WP_Error( 'cfbe_failed', sprintf( __( 'cfbe responded with HTTP %d. Check its log for the reason.', 'cfbe' ), $status ), array( 'status' => 502 ) );
}

/**
 * Parses a JSON response.
 *
 * @param string $json Response body.
 * @return array|WP_Error
 */
function cfbe_parse_response( $json ) {
	$parsed = json_decode( $json );
	if ( is_object( $parsed ) || is_array( $parsed ) ) {
		return (array) $parsed;
	}
	return new WP_Error( 'cfbe_no_json', __( 'The response from cfbe can’t be read. Check whether a proxy in front of it changes responses.', 'cfbe' ), array( 'status' => 502 ) );
}
