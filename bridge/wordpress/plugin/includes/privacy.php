<?php
/**
 * The tools under Tools → Export Personal Data and Erase Personal Data: what WordPress holds for cfbe, and what the cfbe
 * server holds.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

require_once __DIR__ . '/network-registrations.php';

/** Timeout of an export or erasure on the cfbe server, in seconds. */
const CFBE_PERSON_TIMEOUT = 30;

/**
 * Registers the exporter.
 *
 * @param array $exporters Exporters by ID.
 * @return array
 */
function cfbe_add_exporter( $exporters ) {
	$exporters['cfbe'] = array(
		'exporter_friendly_name' => __( 'Newsletter signups with cfbe', 'cfbe' ),
		'callback'               => 'cfbe_export_person',
	);
	return $exporters;
}
add_filter( 'wp_privacy_personal_data_exporters', 'cfbe_add_exporter' );

/**
 * Registers the eraser before WordPress's own, which removes the email addresses of comments.
 *
 * @param array $erasers Erasers by ID.
 * @return array
 */
function cfbe_add_eraser( $erasers ) {
	$eraser = array(
		'eraser_friendly_name' => __( 'Newsletter signups with cfbe', 'cfbe' ),
		'callback'             => 'cfbe_erase_person',
	);
	return array( 'cfbe' => $eraser ) + $erasers;
}
add_filter( 'wp_privacy_personal_data_erasers', 'cfbe_add_eraser', 100 );

/**
 * Returns what waits in WordPress to be sent to cfbe.
 *
 * @param string $email Email address.
 * @return array `signups` by option, `comments` by ID and `registrations` as a list, each with what the person agreed to.
 */
function cfbe_waiting_data( $email ) {
	$signups = array();
	foreach ( cfbe_waiting_signups() as $option ) {
		$stored = get_option( $option );
		if ( is_array( $stored ) && 0 === strcasecmp( $stored['signup']['email'], $email ) ) {
			$signups[ $option ] = $stored['signup'];
		}
	}
	$comments = array();
	$ids      = get_comments(
		array(
			'author_email' => $email,
			'meta_key'     => '_cfbe_opt_in', // phpcs:ignore WordPress.DB.SlowDBQuery.slow_db_query_meta_key -- of one author.
			'fields'       => 'ids',
			'status'       => 'any',
		)
	);
	foreach ( $ids as $id ) {
		$comments[ $id ] = get_comment_meta( $id, '_cfbe_opt_in', true );
	}
	return array(
		'signups'       => $signups,
		'comments'      => $comments,
		'registrations' => is_multisite() ? cfbe_registration_opt_ins( $email ) : array(),
	);
}

/**
 * Runs an action on a person on the cfbe server.
 *
 * @param string $action Such as `cfbe_export_person`.
 * @param string $email  Email address.
 * @return array|WP_Error|null What the server returns. Null if it can't be asked, because the URL or the API token is missing.
 */
function cfbe_act_on_person( $action, $email ) {
	if ( '' === cfbe_server_url() || '' === cfbe_api_token() ) {
		return null;
	}
	$body = cfbe_post( '/admin/ajax?action=' . $action, array( 'email' => $email ), CFBE_PERSON_TIMEOUT );
	if ( is_wp_error( $body ) ) {
		return $body;
	}
	$outcome = json_decode( $body, true );
	return isset( $outcome['data'] ) && is_array( $outcome['data'] )
		? $outcome['data']
		: new WP_Error( 'cfbe_no_json', __( 'The response from cfbe can’t be read. Check whether a proxy in front of it changes responses.', 'cfbe' ) );
}

/**
 * Returns an item of an export.
 *
 * @param string $id   ID of the item.
 * @param array  $data Values by name. Nested ones are written as JSON.
 * @return array
 */
function cfbe_export_item( $id, array $data ) {
	$rows = array();
	foreach ( $data as $name => $value ) {
		$rows[] = array(
			'name'  => $name,
			'value' => is_string( $value ) ? $value : wp_json_encode( $value, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE ),
		);
	}
	return array(
		'group_id'    => 'cfbe',
		'group_label' => __( 'Newsletter signups', 'cfbe' ),
		'item_id'     => $id,
		'data'        => $rows,
	);
}

/**
 * Exports a person's data. Fails if the cfbe server can't be asked now, so that no export is incomplete without notice.
 *
 * @param string $email Email address.
 * @return array|WP_Error
 */
function cfbe_export_person( $email ) {
	$held = cfbe_act_on_person( 'cfbe_export_person', $email );
	if ( is_wp_error( $held ) ) {
		return $held;
	}
	$items = array();
	foreach ( cfbe_waiting_data( $email ) as $kind => $found ) {
		foreach ( $found as $id => $data ) {
			$items[] = cfbe_export_item( "cfbe-$kind-$id", (array) $data );
		}
	}
	if ( null === $held ) {
		if ( '' !== cfbe_server_url() ) {
			/* translators: %s: URL */
			$items[] = cfbe_export_item( 'cfbe-server', array( __( 'Note', 'cfbe' ) => sprintf( __( 'Signups are stored on %s. Ask the owner of this site for a copy.', 'cfbe' ), cfbe_server_url() ) ) );
		}
	} else {
		foreach ( $held['held'] as $store => $rows ) {
			foreach ( $rows as $i => $row ) {
				$items[] = cfbe_export_item( "cfbe-$store-$i", is_array( $row ) ? $row : array( $store => $row ) );
			}
		}
	}
	return array(
		'data' => $items,
		'done' => true,
	);
}

/**
 * Erases a person's data. Fails if the cfbe server can't be asked now; WordPress then lets the admin try again.
 *
 * @param string $email Email address.
 * @return array|WP_Error
 */
function cfbe_erase_person( $email ) {
	$waiting = cfbe_waiting_data( $email );
	foreach ( array_keys( $waiting['signups'] ) as $option ) {
		delete_option( $option );
		wp_clear_scheduled_hook( 'cfbe_send_signup', array( $option ) );
	}
	foreach ( array_keys( $waiting['comments'] ) as $id ) {
		delete_comment_meta( $id, '_cfbe_opt_in' );
	}
	if ( $waiting['registrations'] ) {
		cfbe_remove_registration_opt_ins( $email );
	}
	$erased = cfbe_act_on_person( 'cfbe_erase_person', $email );
	if ( is_wp_error( $erased ) ) {
		return $erased;
	}
	$messages = array();
	if ( null !== $erased ) {
		$messages[] = __( 'The email provider of the newsletter keeps the address. To erase it there too, open the person in the cfbe admin.', 'cfbe' );
	} elseif ( '' !== cfbe_server_url() ) {
		/* translators: %s: URL */
		$messages[] = sprintf( __( 'The signups on %s were not erased, because cfbe’s API token is missing. Erase them in the cfbe admin.', 'cfbe' ), cfbe_server_url() );
	}
	return array(
		'items_removed'  => (bool) array_filter( $waiting ) || ( null !== $erased && array_sum( $erased['erased'] ) > 0 ),
		'items_retained' => (bool) $messages,
		'messages'       => $messages,
		'done'           => true,
	);
}

/**
 * Adds the answer at the checkout to WooCommerce's export of orders.
 *
 * @param array $props Titles by name.
 * @return array
 */
function cfbe_export_order_props( $props ) {
	return $props + array(
		'cfbe_opt_in'      => __( 'Newsletter', 'cfbe' ),
		'cfbe_opt_in_text' => __( 'Text beside the newsletter checkbox', 'cfbe' ),
	);
}
add_filter( 'woocommerce_privacy_export_order_personal_data_props', 'cfbe_export_order_props' );

/**
 * Returns the values of these properties.
 *
 * @param mixed    $value The value so far.
 * @param string   $name  Name of the property.
 * @param WC_Order $order The order.
 * @return mixed
 */
function cfbe_export_order_prop( $value, $name, $order ) {
	return 0 === strpos( $name, 'cfbe_opt_in' ) ? $order->get_meta( '_' . $name ) : $value;
}
add_filter( 'woocommerce_privacy_export_order_personal_data_prop', 'cfbe_export_order_prop', 10, 3 );

/**
 * Lets WooCommerce remove the checkout session from the orders that it anonymizes. The answer with its text stays: it is
 * the shop's proof of consent, and then names nobody.
 *
 * @param array $meta Types of data by name.
 * @return array
 */
function cfbe_anonymize_order_meta( $meta ) {
	return $meta + array( '_cfbe_session' => 'text' );
}
add_filter( 'woocommerce_privacy_remove_order_personal_data_meta', 'cfbe_anonymize_order_meta' );
