<?php
/**
 * Deletes the plugin's settings. Orders keep the customers' opt-in answers, which are the shop's proof of consent.
 *
 * @package cfbe
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

$cfbe_sites = is_multisite() ? get_sites( array( 'fields' => 'ids', 'number' => 0 ) ) : array( get_current_blog_id() );
foreach ( $cfbe_sites as $cfbe_site ) {
	if ( is_multisite() ) {
		switch_to_blog( $cfbe_site );
	}
	delete_option( 'cfbe_settings' );
	if ( is_multisite() ) {
		restore_current_blog();
	}
}
