<?php
/**
 * Deletes the plugin's settings and the signups that were not sent yet. Orders keep the customers' opt-in answers, which are the shop's proof of consent.
 *
 * @package cfbe
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

require_once __DIR__ . '/includes/signup-queue.php';
require_once __DIR__ . '/includes/options.php';
require_once __DIR__ . '/includes/connection.php';
require_once __DIR__ . '/includes/purge.php';
require_once __DIR__ . '/includes/findings.php';
if ( is_multisite() ) {
	require_once __DIR__ . '/includes/network-registrations.php';
	cfbe_remove_registration_opt_ins();
}
$cfbe_sites = is_multisite() ? get_sites( array( 'fields' => 'ids', 'number' => 0 ) ) : array( get_current_blog_id() );
foreach ( $cfbe_sites as $cfbe_site ) {
	if ( is_multisite() ) {
		switch_to_blog( $cfbe_site );
	}
	cfbe_disconnect();
	delete_option( 'cfbe_settings' );
	delete_option( 'cfbe_failed_signups' );
	delete_option( 'cfbe_findings' );
	wp_unschedule_hook( 'cfbe_check_signups' );
	wp_unschedule_hook( 'cfbe_send_signup' );
	delete_metadata( 'comment', 0, '_cfbe_opt_in', '', true );
	array_map( 'delete_option', cfbe_waiting_signups() );
	if ( is_multisite() ) {
		restore_current_blog();
	}
}
