<?php
/**
 * The connection to cfbe: a key and an API token of this site's own, which cfbe hands out and can revoke. Or, set by
 * hand, the constants CFBE_SITE_KEY and CFBE_API_TOKEN.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** The option. Its secrets are encrypted, so that no database backup contains them. */
const CFBE_CONNECTION = 'cfbe_connection';

/** Timeout of each request about the connection, in seconds. */
const CFBE_CONNECTION_TIMEOUT = 10;

/**
 * Returns the key that encrypts the secrets. It comes from wp-config.php.
 *
 * @return string
 */
function cfbe_connection_key() {
	return hash_hkdf( 'sha256', wp_salt( 'secure_auth' ), SODIUM_CRYPTO_SECRETBOX_KEYBYTES, CFBE_CONNECTION, '' );
}

/**
 * Returns whether that key is in the database itself: WordPress keeps one there if wp-config.php has none, the sample text,
 * or one text for several keys.
 *
 * @return bool
 */
function cfbe_is_connection_key_stored() {
	// The first call may store them.
	$used = wp_salt( 'secure_auth' );
	return get_site_option( 'secure_auth_key' ) . get_site_option( 'secure_auth_salt' ) === $used;
}

/**
 * Returns the connection. It counts only for the server that made it, so that nobody who changes the server's URL
 * obtains the token.
 *
 * @return array|null `server`, `key`, `token`, `webhook` (`url` and `secret`, or null), `time`, and whether cfbe has `revoked` it. Null if not connected, or if the keys in wp-config.php have changed since.
 */
function cfbe_connection() {
	static $known = array();
	$stored = get_option( CFBE_CONNECTION );
	if ( ! is_array( $stored ) || ! isset( $stored['server'], $stored['sealed'], $stored['time'] ) || $stored['server'] !== cfbe_settings()['address'] ) {
		return null;
	}
	$sealed = (string) $stored['sealed'];
	if ( ! array_key_exists( $sealed, $known ) ) {
		$bytes            = base64_decode( $sealed, true ); // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_decode
		$nonce            = substr( (string) $bytes, 0, SODIUM_CRYPTO_SECRETBOX_NONCEBYTES );
		$json             = strlen( $nonce ) === SODIUM_CRYPTO_SECRETBOX_NONCEBYTES
			? sodium_crypto_secretbox_open( substr( $bytes, strlen( $nonce ) ), $nonce, cfbe_connection_key() )
			: false;
		$known[ $sealed ] = false === $json ? null : json_decode( $json, true );
	}
	return is_array( $known[ $sealed ] )
		? array(
			'server'  => $stored['server'],
			'time'    => (int) $stored['time'],
			'revoked' => ! empty( $stored['revoked'] ),
		) + $known[ $sealed ]
		: null;
}

/**
 * Returns whether this site is connected, as far as it knows.
 *
 * @return bool
 */
function cfbe_is_connected() {
	$connection = cfbe_connection();
	return null !== $connection && ! $connection['revoked'];
}

/**
 * Stores a connection.
 *
 * @param string $server URL of the server.
 * @param array  $facts  `key`, `token` and `webhook`, as the server sent them.
 * @param int    $time   When it was made, Unix seconds.
 */
function cfbe_store_connection( $server, array $facts, $time ) {
	$secrets = array(
		'key'     => $facts['key'],
		'token'   => $facts['token'],
		'webhook' => isset( $facts['webhook'] ) ? $facts['webhook'] : null,
	);
	$nonce   = random_bytes( SODIUM_CRYPTO_SECRETBOX_NONCEBYTES );
	$sealed  = $nonce . sodium_crypto_secretbox( wp_json_encode( $secrets ), $nonce, cfbe_connection_key() );
	update_option(
		CFBE_CONNECTION,
		array(
			'server' => $server,
			'sealed' => base64_encode( $sealed ), // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_encode
			'time'   => $time,
		)
	);
}

/**
 * Returns whether a server's answer has all that a connection needs.
 *
 * @param mixed $facts The parsed answer.
 * @return bool
 */
function cfbe_is_connection( $facts ) {
	return is_array( $facts )
		&& isset( $facts['key'], $facts['token'] )
		&& null !== cfbe_parse_site_key( $facts['key'] )
		&& is_string( $facts['token'] )
		&& 1 === preg_match( '/^cfbe_[0-9a-f]{10}_[\w-]{43}$/D', $facts['token'] );
}

/**
 * Parses the key of a site.
 *
 * @param mixed $text `cfbe_site_<ID>_<key>`.
 * @return array|null `id`, and `key` with its bytes.
 */
function cfbe_parse_site_key( $text ) {
	if ( ! is_string( $text ) || ! preg_match( '/^cfbe_site_([0-9a-f]{10})_([\w-]{43})$/D', $text, $parts ) ) {
		return null;
	}
	return array(
		'id'  => $parts[1],
		'key' => (string) base64_decode( strtr( $parts[2], '-_', '+/' ) . '=', true ), // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_decode
	);
}

/**
 * Returns the key with which this site signs. The constant takes precedence.
 *
 * @return array|null `id` and `key`. Null if the site has none of its own.
 */
function cfbe_site_key() {
	if ( defined( 'CFBE_SITE_KEY' ) ) {
		return cfbe_parse_site_key( trim( (string) CFBE_SITE_KEY ) );
	}
	$connection = cfbe_connection();
	return null === $connection ? null : cfbe_parse_site_key( $connection['key'] );
}

/**
 * Sends a request about the connection, with its token.
 *
 * @param array  $connection As from `cfbe_connection`.
 * @param string $method     `GET` or `POST`.
 * @param string $path       `site` or `disconnect`.
 * @return array|WP_Error HTTP status and parsed body.
 */
function cfbe_call_connection( array $connection, $method, $path ) {
	$response = wp_remote_request(
		$connection['server'] . '/connect/' . $path,
		array(
			'method'      => $method,
			'timeout'     => CFBE_CONNECTION_TIMEOUT,
			'redirection' => 0,
			'headers'     => array( 'Authorization' => 'Bearer ' . $connection['token'] ),
		)
	);
	return is_wp_error( $response )
		? $response
		: array( wp_remote_retrieve_response_code( $response ), json_decode( wp_remote_retrieve_body( $response ), true ) );
}

/**
 * Asks the server whether this site is still connected, and stores the current key, which differs after the server has
 * rotated its keys.
 *
 * @return bool|null False if it has been revoked; null if the server can't say.
 */
function cfbe_refresh_connection() {
	$connection = cfbe_connection();
	$answer     = null === $connection ? null : cfbe_call_connection( $connection, 'GET', 'site' );
	if ( null === $answer || is_wp_error( $answer ) ) {
		return null;
	}
	list( $status, $facts ) = $answer;
	if ( 401 === $status || 404 === $status ) {
		cfbe_mark_connection( true );
		return false;
	}
	if ( 200 !== $status || ! is_array( $facts ) ) {
		return null;
	}
	$facts['token'] = $connection['token'];
	if ( ! cfbe_is_connection( $facts ) ) {
		return null;
	}
	if ( $connection['revoked'] ) {
		cfbe_mark_connection( false );
	}
	if ( $facts['key'] !== $connection['key'] ) {
		cfbe_store_connection( $connection['server'], $facts, $connection['time'] );
		cfbe_set_order_webhooks( $connection['server'], isset( $facts['webhook'] ) ? $facts['webhook'] : null );
		cfbe_purge_page_caches();
	}
	return true;
}

/**
 * Stores settings as they are. What validates the input of the settings page keeps a salt that is not sent.
 *
 * @param array $settings All settings.
 */
function cfbe_replace_settings( array $settings ) {
	remove_filter( 'sanitize_option_cfbe_settings', 'cfbe_sanitize_settings' );
	update_option( 'cfbe_settings', $settings );
}

/**
 * Notes whether cfbe has revoked the connection.
 *
 * @param bool $revoked Whether it has.
 */
function cfbe_mark_connection( $revoked ) {
	update_option( CFBE_CONNECTION, compact( 'revoked' ) + (array) get_option( CFBE_CONNECTION ) );
}

/**
 * Ends the connection here, and tells the server.
 *
 * @return bool Whether the server knows it.
 */
function cfbe_disconnect() {
	$connection = cfbe_connection();
	$told       = true;
	if ( null !== $connection ) {
		$answer = cfbe_call_connection( $connection, 'POST', 'disconnect' );
		// The server may have revoked the token before.
		$told = ! is_wp_error( $answer ) && in_array( $answer[0], array( 200, 401, 404 ), true );
		cfbe_set_order_webhooks( $connection['server'], null );
	}
	delete_option( CFBE_CONNECTION );
	delete_option( CFBE_FINDINGS );
	cfbe_purge_page_caches();
	return $told;
}

/**
 * Sets the webhooks that send WooCommerce's orders to a server, in place of those that send them there already.
 *
 * @param string     $server  URL of the server.
 * @param array|null $webhook `url` and `secret`; null to delete those of this site.
 */
function cfbe_set_order_webhooks( $server, $webhook ) {
	if ( ! class_exists( 'WC_Webhook' ) || ! class_exists( 'WC_Data_Store' ) ) {
		return;
	}
	$url   = $server . '/shop-hook/woocommerce';
	$topic = null === $webhook ? array() : array( 'order.created', 'order.updated', 'order.deleted' );
	foreach ( WC_Data_Store::load( 'webhook' )->get_webhooks_ids() as $id ) {
		$existing = wc_get_webhook( $id );
		if ( ! $existing || strtok( $existing->get_delivery_url(), '?' ) !== $url ) {
			continue;
		}
		if ( in_array( $existing->get_topic(), $topic, true ) ) {
			cfbe_save_order_webhook( $existing, $existing->get_topic(), $webhook );
			$topic = array_diff( $topic, array( $existing->get_topic() ) );
		} elseif ( null !== $webhook || false !== strpos( $existing->get_delivery_url(), '?site=' ) ) {
			$existing->delete( true );
		}
	}
	foreach ( $topic as $missing ) {
		cfbe_save_order_webhook( new WC_Webhook(), $missing, $webhook );
	}
}

/**
 * Saves a webhook.
 *
 * @param WC_Webhook $saved   The webhook.
 * @param string     $topic   Such as `order.created`.
 * @param array      $webhook `url` and `secret`.
 */
function cfbe_save_order_webhook( $saved, $topic, array $webhook ) {
	$saved->set_name( 'cfbe ' . $topic );
	$saved->set_topic( $topic );
	$saved->set_delivery_url( $webhook['url'] );
	$saved->set_secret( $webhook['secret'] );
	$saved->set_api_version( 'wp_api_v3' );
	// WooCommerce reads the order as this user.
	$saved->set_user_id( get_current_user_id() ? get_current_user_id() : $saved->get_user_id() );
	$saved->set_status( 'active' );
	$saved->save();
}
