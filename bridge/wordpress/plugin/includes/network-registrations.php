<?php
/**
 * What people agreed to when they registered on a network. WordPress keeps the data of a registration forever, so this
 * is removed once it was used.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Key of the opt-in in the data of a registration. */
const CFBE_REGISTRATION_OPT_IN = '_cfbe_opt_in';

/**
 * Returns the registrations that have an opt-in.
 *
 * @param string|null $email       Only those of this email address. Null: all.
 * @param bool        $only_active Only those whose account was activated.
 * @return array Data by ID of the registration.
 */
function cfbe_registrations_with_opt_in( $email, $only_active = false ) {
	global $wpdb;
	// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- WordPress has no function that finds registrations.
	$rows  = $wpdb->get_results( $wpdb->prepare( "SELECT signup_id, user_email, active, meta FROM $wpdb->signups WHERE meta LIKE %s", '%' . $wpdb->esc_like( CFBE_REGISTRATION_OPT_IN ) . '%' ) );
	$found = array();
	foreach ( $rows as $row ) {
		$is_wanted = ( null === $email || 0 === strcasecmp( $row->user_email, $email ) ) && ( ! $only_active || $row->active );
		$meta      = $is_wanted ? maybe_unserialize( $row->meta ) : array();
		if ( isset( $meta[ CFBE_REGISTRATION_OPT_IN ] ) ) {
			$found[ $row->signup_id ] = $meta;
		}
	}
	return $found;
}

/**
 * Returns what a person agreed to in registrations.
 *
 * @param string $email Email address.
 * @return array
 */
function cfbe_registration_opt_ins( $email ) {
	return array_column( cfbe_registrations_with_opt_in( $email ), CFBE_REGISTRATION_OPT_IN );
}

/**
 * Removes the opt-in from registrations.
 *
 * @param string|null $email       Removes it from the registrations of this email address. Null: from all.
 * @param bool        $only_active Only from those whose account was activated.
 */
function cfbe_remove_registration_opt_ins( $email = null, $only_active = false ) {
	global $wpdb;
	foreach ( cfbe_registrations_with_opt_in( $email, $only_active ) as $id => $meta ) {
		unset( $meta[ CFBE_REGISTRATION_OPT_IN ] );
		// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- WordPress has no function that changes a registration.
		$wpdb->update( $wpdb->signups, array( 'meta' => maybe_serialize( $meta ) ), array( 'signup_id' => $id ) );
	}
}
