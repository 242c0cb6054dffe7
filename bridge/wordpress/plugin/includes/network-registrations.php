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
 * Removes the opt-in from registrations.
 *
 * @param string|null $email Removes it from the active registrations of this email address. Null: from all.
 */
function cfbe_remove_registration_opt_ins( $email = null ) {
	global $wpdb;
	// phpcs:disable WordPress.DB.DirectDatabaseQuery -- WordPress has no function that changes a registration.
	$with_opt_in = $wpdb->prepare( "SELECT signup_id, meta FROM $wpdb->signups WHERE meta LIKE %s", '%' . $wpdb->esc_like( CFBE_REGISTRATION_OPT_IN ) . '%' );
	$of_person   = null === $email ? '' : $wpdb->prepare( ' AND active = 1 AND user_email = %s', $email );
	foreach ( $wpdb->get_results( $with_opt_in . $of_person ) as $row ) { // phpcs:ignore WordPress.DB.PreparedSQL.NotPrepared -- prepared above.
		$meta = maybe_unserialize( $row->meta );
		unset( $meta[ CFBE_REGISTRATION_OPT_IN ] );
		$wpdb->update( $wpdb->signups, array( 'meta' => maybe_serialize( $meta ) ), array( 'signup_id' => $row->signup_id ) );
	}
	// phpcs:enable
}
