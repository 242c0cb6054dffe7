<?php
/**
 * Sends signups from checkboxes to cfbe in the background, so that no form waits for cfbe. Each is an option of its own
 * until cfbe has it. Action Scheduler runs the attempts if a plugin brings it, else WordPress's cron.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

const CFBE_SIGNUP_PREFIX   = 'cfbe_signup_';
const CFBE_SIGNUP_FAILURES = 'cfbe_failed_signups';

/** Seconds before each attempt. After the last one, about three days later, a signup is given up. */
const CFBE_SIGNUP_DELAYS = array( 0, 60, 300, 900, 3600, 14400, 43200, 86400, 86400 );

/** Most signups that wait, so that bots can't fill the database while cfbe is down. */
const CFBE_MAX_WAITING_SIGNUPS = 1000;

/** The longest email address, in bytes. */
const CFBE_MAX_EMAIL_BYTES = 320;

/** Timeout of an attempt, in seconds. */
const CFBE_SIGNUP_TIMEOUT = 15;

/**
 * Stores a signup and schedules its first attempt. Sends nothing itself.
 *
 * @param mixed  $email  The email address that the visitor entered.
 * @param string $text   The consent text that the visitor saw.
 * @param string $ip     The visitor's IP address; empty if unknown.
 * @param string $locale Locale of the page, such as `de_DE`.
 */
function cfbe_queue_signup( $email, $text, $ip, $locale ) {
	// Whether it is valid is cfbe's decision: WordPress's is_email knows no domain such as müller.example.
	if ( ! is_string( $email ) || false === strpos( $email, '@' ) || strlen( $email ) > CFBE_MAX_EMAIL_BYTES ) {
		return;
	}
	// As WordPress stores an address with an ampersand. No address contains a semicolon.
	$email = str_replace( '&amp;', '&', $email );
	if ( count( cfbe_waiting_signups() ) >= CFBE_MAX_WAITING_SIGNUPS ) {
		cfbe_count_failed_signup( __( 'Too many signups were waiting.', 'cfbe' ) );
		return;
	}
	$signup = array(
		'source'      => 'integration',
		'email'       => $email,
		'consent'     => true,
		'consentText' => $text,
		'locale'      => str_replace( '_', '-', $locale ),
		'ip'          => $ip,
		'origin'      => cfbe_site_origin(),
	);
	cfbe_schedule_check();
	$option = CFBE_SIGNUP_PREFIX . strtolower( wp_generate_password( 20, false ) );
	$stored = array(
		'signup'  => array_filter( $signup ),
		'attempt' => 0,
	);
	if ( add_option( $option, $stored, '', 'no' ) ) {
		cfbe_schedule_signup( $option, 0 );
		if ( ! defined( 'DISABLE_WP_CRON' ) || ! DISABLE_WP_CRON ) {
			add_action( 'shutdown', 'spawn_cron', 10, 0 );
		}
	}
}

/**
 * Schedules the next attempt.
 *
 * @param string $option  Name of the option with the signup.
 * @param int    $attempt Number of attempts so far.
 */
function cfbe_schedule_signup( $option, $attempt ) {
	$time = time() + CFBE_SIGNUP_DELAYS[ $attempt ];
	if ( function_exists( 'as_schedule_single_action' ) ) {
		as_schedule_single_action( $time, 'cfbe_send_signup', array( $option ), 'cfbe' );
	} else {
		wp_schedule_single_event( $time, 'cfbe_send_signup', array( $option ) );
	}
}

/**
 * Makes one attempt. The next one is scheduled first, so that a process that dies here loses nothing. It finds nothing
 * to do if this one succeeds.
 *
 * @param string $option Name of the option with the signup.
 */
function cfbe_send_signup( $option ) {
	$stored = get_option( $option );
	if ( ! is_array( $stored ) || 0 !== strpos( $option, CFBE_SIGNUP_PREFIX ) ) {
		return;
	}
	++$stored['attempt'];
	$is_last = ! isset( CFBE_SIGNUP_DELAYS[ $stored['attempt'] ] );
	if ( ! $is_last ) {
		update_option( $option, $stored, 'no' );
		cfbe_schedule_signup( $option, $stored['attempt'] );
	}
	$form   = cfbe_settings()['checkbox_form'];
	$result = cfbe_request( '/integrations/signup', array_filter( $stored['signup'] + array( 'form' => $form ) ), CFBE_SIGNUP_TIMEOUT );
	$status = is_wp_error( $result ) ? 0 : $result[0];
	$is_final = ! is_wp_error( $result ) && cfbe_is_refused_forever( $result );
	if ( 200 !== $status && ( $is_final || $is_last ) ) {
		cfbe_count_failed_signup( is_wp_error( $result ) ? $result->get_error_message() : cfbe_signup_error( $result ) );
	}
	if ( 200 === $status || $is_final || $is_last ) {
		delete_option( $option );
		wp_clear_scheduled_hook( 'cfbe_send_signup', array( $option ) );
	}
}
add_action( 'cfbe_send_signup', 'cfbe_send_signup' );

/**
 * Returns whether cfbe will refuse a signup next time too. It does not if only the form is the problem, which an admin can
 * change: its name, or a required field.
 *
 * @param array $response Status and body.
 * @return bool
 */
function cfbe_is_refused_forever( array $response ) {
	list( $status, $body ) = $response;
	if ( 400 !== $status ) {
		return 413 === $status;
	}
	$parsed = json_decode( $body, true );
	$fields = isset( $parsed['fields'] ) && is_array( $parsed['fields'] ) ? array_keys( $parsed['fields'] ) : array();
	return array() === $fields || array() !== array_intersect( array( 'email', 'consentText', 'ip', 'locale', 'source' ), $fields );
}

/**
 * Returns why cfbe did not accept a signup.
 *
 * @param array $response Status and body.
 * @return string
 */
function cfbe_signup_error( array $response ) {
	list( $status, $body ) = $response;
	$parsed                = json_decode( $body, true );
	if ( 400 === $status && ! empty( $parsed['fields'] ) && is_array( $parsed['fields'] ) ) {
		/* translators: %s: names of fields, separated by commas */
		return sprintf( __( 'cfbe rejected these fields: %s.', 'cfbe' ), implode( ', ', array_keys( $parsed['fields'] ) ) );
	}
	/* translators: %d: HTTP status */
	return sprintf( __( 'cfbe responded with HTTP %d. Check its log for the reason.', 'cfbe' ), $status );
}

/**
 * Counts a signup that was given up, for the settings page. Keeps nothing about the visitor.
 *
 * @param string $reason Why it was given up.
 */
function cfbe_count_failed_signup( $reason ) {
	$failures = get_option( CFBE_SIGNUP_FAILURES, array( 'count' => 0 ) );
	$failures = array(
		'count'  => $failures['count'] + 1,
		'reason' => $reason,
		'time'   => time(),
	);
	update_option( CFBE_SIGNUP_FAILURES, $failures, 'no' );
}

/**
 * Returns the options of the signups that wait.
 *
 * @return string[]
 */
function cfbe_waiting_signups() {
	global $wpdb;
	// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- WordPress can't list options by the start of their name.
	return $wpdb->get_col( $wpdb->prepare( "SELECT option_name FROM $wpdb->options WHERE option_name LIKE %s", $wpdb->esc_like( CFBE_SIGNUP_PREFIX ) . '%' ) );
}

/** Makes sure that `cfbe_check_signups` runs every hour. */
function cfbe_schedule_check() {
	if ( ! wp_next_scheduled( 'cfbe_check_signups' ) ) {
		wp_schedule_event( time() + HOUR_IN_SECONDS, 'hourly', 'cfbe_check_signups' );
	}
}

/** Schedules the signups that wait without an attempt, because a process died after it had stored them. */
function cfbe_check_signups() {
	foreach ( cfbe_waiting_signups() as $option ) {
		$is_scheduled = function_exists( 'as_next_scheduled_action' )
			? as_next_scheduled_action( 'cfbe_send_signup', array( $option ), 'cfbe' )
			: wp_next_scheduled( 'cfbe_send_signup', array( $option ) );
		if ( ! $is_scheduled ) {
			cfbe_schedule_signup( $option, 0 );
		}
	}
}
add_action( 'cfbe_check_signups', 'cfbe_check_signups' );

/** After a reactivation, schedules the signups that still wait. */
function cfbe_resume_signups() {
	cfbe_schedule_check();
	cfbe_check_signups();
}

/** On deactivation, cancels all attempts. The signups stay for a reactivation. */
function cfbe_cancel_signups() {
	wp_unschedule_hook( 'cfbe_check_signups' );
	wp_unschedule_hook( 'cfbe_send_signup' );
	if ( function_exists( 'as_unschedule_all_actions' ) ) {
		as_unschedule_all_actions( 'cfbe_send_signup' );
	}
}
