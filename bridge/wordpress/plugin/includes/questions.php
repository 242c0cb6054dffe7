<?php
/**
 * Asks the service's operator routes, which answer only with its API token.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** How long an answer may take, in seconds. */
const CFBE_QUESTION_TIMEOUT = 15;

/** How long a check of pending signups may take, in seconds: it asks the email provider. */
const CFBE_POLL_TIMEOUT = 60;

/** The longest answer that is read. */
const CFBE_ANSWER_BYTES = MB_IN_BYTES;

/**
 * The service's API token. It comes from wp-config.php alone, so that it is in no backup of the database.
 *
 * @return string Empty when it is not set.
 */
function cfbe_api_token() {
	return defined( 'CFBE_API_TOKEN' ) ? (string) CFBE_API_TOKEN : '';
}

/**
 * Asks the service a question.
 *
 * @param string $question Such as `counts`.
 * @param array  $input    What the question takes.
 * @return array|WP_Error The answer. Objects inside it stay objects, so that an empty one is not written as a list.
 */
function cfbe_ask_question( $question, array $input = array() ) {
	$body = cfbe_post_to_service( '/ops/' . $question, $input, CFBE_QUESTION_TIMEOUT );
	return is_wp_error( $body ) ? $body : cfbe_read_answer( $body );
}

/**
 * Checks pending signups now.
 *
 * @return array|WP_Error The last line of the answer, which has a line for each step.
 */
function cfbe_poll_service() {
	$body = cfbe_post_to_service( '/ops/poll', array(), CFBE_POLL_TIMEOUT );
	if ( is_wp_error( $body ) ) {
		return $body;
	}
	$lines = explode( "\n", rtrim( $body ) );
	return cfbe_read_answer( end( $lines ) );
}

/**
 * Sends JSON with the API token.
 *
 * @param string $path    Of the service.
 * @param array  $input   To send.
 * @param int    $timeout In seconds.
 * @return string|WP_Error The body of the answer.
 */
function cfbe_post_to_service( $path, array $input, $timeout ) {
	if ( '' === cfbe_address() ) {
		return new WP_Error( 'cfbe_no_address', __( 'cfbe has no service yet: enter its address under Settings, cfbe.', 'cfbe' ), array( 'status' => 503 ) );
	}
	if ( '' === cfbe_api_token() ) {
		return new WP_Error( 'cfbe_no_token', __( 'This needs the API token of the cfbe service: set CFBE_API_TOKEN in wp-config.php.', 'cfbe' ), array( 'status' => 503 ) );
	}
	$response = wp_remote_post(
		cfbe_address() . $path,
		array(
			'timeout'             => $timeout,
			// The token goes to the address that was entered, and nowhere else.
			'redirection'         => 0,
			'limit_response_size' => CFBE_ANSWER_BYTES,
			'headers'             => array(
				'Authorization' => 'Bearer ' . cfbe_api_token(),
				'Content-Type'  => 'application/json',
			),
			'body'                => wp_json_encode( (object) $input ),
		)
	);
	if ( is_wp_error( $response ) ) {
		/* translators: 1: address, 2: error message */
		return new WP_Error( 'cfbe_unreachable', sprintf( __( '%1$s does not answer: %2$s', 'cfbe' ), cfbe_address(), $response->get_error_message() ), array( 'status' => 502 ) );
	}
	$status = wp_remote_retrieve_response_code( $response );
	if ( 401 === $status ) {
		return new WP_Error( 'cfbe_wrong_token', __( 'The service refuses the API token: copy it into CFBE_API_TOKEN in wp-config.php again.', 'cfbe' ), array( 'status' => 502 ) );
	}
	$body = wp_remote_retrieve_body( $response );
	return 200 === $status ? $body : cfbe_service_error( $status, $body );
}

/**
 * What the service says is wrong.
 *
 * @param int    $status Its HTTP status.
 * @param string $body   Its answer.
 * @return WP_Error
 */
function cfbe_service_error( $status, $body ) {
	$answer = json_decode( $body, true );
	if ( 400 === $status && isset( $answer['error'] ) && is_string( $answer['error'] ) ) {
		return new WP_Error( 'cfbe_invalid', $answer['error'], array( 'status' => 400 ) );
	}
	/* translators: %d: HTTP status */
	return new WP_Error( 'cfbe_failed', sprintf( __( 'The service answers with HTTP %d. Its log says why.', 'cfbe' ), $status ), array( 'status' => 502 ) );
}

/**
 * Reads JSON.
 *
 * @param string $json What the service has answered.
 * @return array|WP_Error
 */
function cfbe_read_answer( $json ) {
	$answer = json_decode( $json );
	if ( is_object( $answer ) || is_array( $answer ) ) {
		return (array) $answer;
	}
	return new WP_Error( 'cfbe_no_json', __( 'The service’s answer can’t be read. Is something in front of it that changes answers?', 'cfbe' ), array( 'status' => 502 ) );
}
