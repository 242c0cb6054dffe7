<?php
/**
 * Keeps the results of the checks, which run when the settings are saved and every hour, and shows the errors in
 * wp-admin and in Site Health.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

const CFBE_FINDINGS = 'cfbe_findings';

/**
 * Runs all checks and keeps their results.
 *
 * @return array As from `cfbe_check_connection`.
 */
function cfbe_refresh_findings() {
	require_once __DIR__ . '/connection-check.php';
	$findings = '' === cfbe_server_url() ? array() : cfbe_check_connection();
	update_option( CFBE_FINDINGS, $findings, 'no' );
	return $findings;
}
add_action( 'cfbe_check_signups', 'cfbe_refresh_findings' );

/**
 * Returns the latest errors.
 *
 * @param string|null $setting Only those about this setting; null for all.
 * @return string[]
 */
function cfbe_known_errors( $setting = null ) {
	$errors = array();
	foreach ( (array) get_option( CFBE_FINDINGS, array() ) as $finding ) {
		if ( 'error' === $finding[0] && ( null === $setting || ( isset( $finding[2] ) && $setting === $finding[2] ) ) ) {
			$errors[] = $finding[1];
		}
	}
	return $errors;
}

/** Shows the errors on every page of wp-admin, except on the settings page, which shows them itself. */
function cfbe_show_errors() {
	$errors = current_user_can( cfbe_capability() ) ? cfbe_known_errors() : array();
	$screen = get_current_screen();
	if ( ! $errors || ( $screen && 'settings_page_cfbe' === $screen->id ) ) {
		return;
	}
	printf(
		'<div class="notice notice-error"><p><strong>cfbe:</strong> %s <a href="%s">%s</a></p></div>',
		esc_html( implode( ' ', $errors ) ),
		esc_url( cfbe_settings_url() ),
		esc_html__( 'Settings', 'cfbe' )
	);
}
add_action( 'admin_notices', 'cfbe_show_errors' );

/**
 * Adds the test to Site Health.
 *
 * @param array $tests Tests by kind.
 * @return array
 */
function cfbe_add_health_test( $tests ) {
	$tests['direct']['cfbe'] = array(
		'label' => __( 'Newsletter signups with cfbe', 'cfbe' ),
		'test'  => 'cfbe_health',
	);
	return $tests;
}
add_filter( 'site_status_tests', 'cfbe_add_health_test' );

/**
 * Returns the result of the test.
 *
 * @return array
 */
function cfbe_health() {
	$errors = cfbe_known_errors();
	return array(
		'label'       => $errors ? __( 'Newsletter signups do not work as set', 'cfbe' ) : __( 'Newsletter signups work', 'cfbe' ),
		'status'      => $errors ? 'critical' : 'good',
		'badge'       => array(
			'label' => 'cfbe',
			'color' => 'blue',
		),
		'description' => $errors
			? '<ul><li>' . implode( '</li><li>', array_map( 'esc_html', $errors ) ) . '</li></ul>'
			: '<p>' . esc_html__( 'The last check found no problem.', 'cfbe' ) . '</p>',
		'actions'     => sprintf( '<p><a href="%s">%s</a></p>', esc_url( admin_url( 'options-general.php?page=cfbe' ) ), esc_html__( 'Settings', 'cfbe' ) ),
		'test'        => 'cfbe',
	);
}
