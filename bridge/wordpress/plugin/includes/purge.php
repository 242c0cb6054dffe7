<?php
/**
 * Empties page caches when the plugin's settings are saved, and when cfbe requests it.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Highest accepted difference between the clocks of cfbe and WordPress, in seconds. */
const CFBE_PURGE_WINDOW = 300;

/** How many signatures of a request are verified: cfbe sends one for each key that it accepts. */
const CFBE_MAX_SIGNATURES = 20;

/**
 * Returns the page caches that document how other plugins can empty them.
 *
 * @return array Function or action by name.
 */
function cfbe_known_caches() {
	return array(
		'WP Rocket'            => array( 'function' => 'rocket_clean_domain' ),
		'W3 Total Cache'       => array( 'function' => 'w3tc_flush_all' ),
		'WP Super Cache'       => array( 'function' => 'wp_cache_clear_cache' ),
		'WP-Optimize'          => array( 'function' => 'wpo_cache_flush' ),
		'WP Fastest Cache'     => array( 'function' => 'wpfc_clear_all_cache' ),
		'SiteGround Optimizer' => array( 'function' => 'sg_cachepress_purge_cache' ),
		'SpinupWP'             => array( 'function' => 'spinupwp_purge_site' ),
		'Pantheon'             => array( 'function' => 'pantheon_wp_clear_edge_all' ),
		'LiteSpeed Cache'      => array( 'action' => 'litespeed_purge_all' ),
		'Nginx Helper'         => array( 'action' => 'rt_nginx_helper_purge_all' ),
		'Cache Enabler'        => array( 'action' => 'cache_enabler_clear_complete_cache' ),
		'Breeze'               => array( 'action' => 'breeze_clear_all_cache' ),
		'Hummingbird'          => array( 'action' => 'wphb_clear_page_cache' ),
		'FlyingPress'          => array( 'action' => 'flying_press_purge_all' ),
	);
}

/**
 * Returns the known caches that are active.
 *
 * @return array As `cfbe_known_caches`.
 */
function cfbe_active_caches() {
	return array_filter(
		cfbe_known_caches(),
		static function ( $cache ) {
			return isset( $cache['function'] ) ? function_exists( $cache['function'] ) : (bool) has_action( $cache['action'] );
		}
	);
}

/**
 * Empties every active page cache, even if one of them fails.
 *
 * @return string[] Names of the emptied caches.
 */
function cfbe_purge_page_caches() {
	$emptied = array();
	foreach ( cfbe_active_caches() as $name => $cache ) {
		try {
			if ( isset( $cache['function'] ) ) {
				call_user_func( $cache['function'] );
			} else {
				do_action( $cache['action'] ); // phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.DynamicHooknameFound
			}
			$emptied[] = $name;
		} catch ( Throwable $error ) {
			error_log( "cfbe: $name could not be emptied: " . $error->getMessage() ); // phpcs:ignore WordPress.PHP.DevelopmentFunctions.error_log_error_log
		}
	}
	/**
	 * Fires when cached pages with forms are outdated. Hook in here to empty a cache that the plugin does not know.
	 */
	do_action( 'cfbe_purge_page_cache' );
	return $emptied;
}

add_action( 'update_option_cfbe_settings', 'cfbe_purge_page_caches', 10, 0 );
add_action( 'add_option_cfbe_settings', 'cfbe_purge_page_caches', 10, 0 );

/** Registers `POST /wp-json/cfbe-bridge/v1/purge`, for cfbe's action `cfbe_purge_page_cache`. */
function cfbe_register_purge_route() {
	register_rest_route(
		'cfbe-bridge/v1',
		'/purge',
		array(
			'methods'             => 'POST',
			'callback'            => 'cfbe_purge_route',
			'permission_callback' => 'cfbe_can_purge',
		)
	);
}
add_action( 'rest_api_init', 'cfbe_register_purge_route' );

/**
 * Checks that a request is signed with this site's key, or else the salt, and recent.
 *
 * @param WP_REST_Request $request With `X-CFBE-Timestamp` (Unix seconds) and `X-CFBE-Signature`, which signs the timestamp, a dot and the body.
 * @return true|WP_Error
 */
function cfbe_can_purge( WP_REST_Request $request ) {
	$site   = cfbe_site_key();
	$secret = null === $site ? cfbe_salt() : $site['key'];
	if ( '' === $secret ) {
		return new WP_Error( 'cfbe_no_key', __( 'This site has no valid key.', 'cfbe' ), array( 'status' => 503 ) );
	}
	$time     = (string) $request->get_header( 'x_cfbe_timestamp' );
	$expected = cfbe_sign( 'cfbe/purge', $time . '.' . $request->get_body(), $secret );
	if ( ! ctype_digit( $time ) || abs( time() - (int) $time ) > CFBE_PURGE_WINDOW ) {
		$time = '';
	}
	// After cfbe has rotated its keys, it signs with this site's earlier one too.
	foreach ( array_slice( explode( ',', (string) $request->get_header( 'x_cfbe_signature' ) ), 0, CFBE_MAX_SIGNATURES ) as $signature ) {
		if ( '' !== $time && hash_equals( $expected, $signature ) ) {
			return true;
		}
	}
	return new WP_Error( 'cfbe_unsigned', __( 'The signature or timestamp is invalid.', 'cfbe' ), array( 'status' => 401 ) );
}

/**
 * Empties the caches.
 *
 * @return WP_REST_Response
 */
function cfbe_purge_route() {
	$response = new WP_REST_Response( array( 'emptied' => cfbe_purge_page_caches() ) );
	$response->header( 'Cache-Control', 'no-store' );
	return $response;
}
