<?php
/**
 * Checks whether forms can work with the configured server, and reports problems.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Timeout of each request, in seconds. */
const CFBE_CHECK_TIMEOUT = 5;

/**
 * Sends a GET request to the cfbe server.
 *
 * @param string $path    Path on the server.
 * @param array  $headers Request headers.
 * @return array|WP_Error As `wp_remote_get`.
 */
function cfbe_fetch( $path, array $headers = array() ) {
	return wp_remote_get(
		cfbe_server_url() . $path,
		array(
			'timeout'     => CFBE_CHECK_TIMEOUT,
			'redirection' => 0,
			'headers'     => $headers,
		)
	);
}

/**
 * Returns what the server says about its forms, lists and modules. Asks it once per request of WordPress.
 *
 * @return array|null `forms`, `needs`, `lists`, `defaultList`, `modules` and `shop`. Null without an API token, or if it can't be read.
 */
function cfbe_server_facts() {
	static $known = array();
	$server = cfbe_server_url();
	if ( '' === $server || '' === cfbe_api_token() ) {
		return null;
	}
	if ( ! array_key_exists( $server, $known ) ) {
		$body             = cfbe_post( '/ops/bridge', array(), CFBE_CHECK_TIMEOUT );
		$known[ $server ] = is_wp_error( $body ) ? null : json_decode( $body, true );
	}
	return is_array( $known[ $server ] ) ? $known[ $server ] : null;
}

/**
 * Runs all checks. Stops early if the remaining checks cannot succeed.
 *
 * @return array List of `[ kind, text, setting ]`; kind is `success`, `warning` or `error`. The setting that it is about may be missing.
 */
function cfbe_check_connection() {
	$server = cfbe_check_server();
	if ( 'success' !== $server[0] ) {
		return array_values( array_filter( array( $server, cfbe_check_signup_queue() ) ) );
	}
	$findings = array( $server );
	$origin   = cfbe_site_origin();
	$response = cfbe_fetch( '/cfbe.json?locale=' . rawurlencode( get_bloginfo( 'language' ) ), array( 'Origin' => $origin ) );
	$settings = is_wp_error( $response ) ? null : json_decode( wp_remote_retrieve_body( $response ), true );
	if ( ! is_array( $settings ) ) {
		$findings[] = array( 'error', __( 'The settings of the cfbe server (cfbe.json) can’t be read. Check whether a proxy or firewall in front of it changes or blocks responses.', 'cfbe' ) );
		return $findings;
	}
	$facts = cfbe_server_facts();
	return array_values(
		array_filter(
			array_merge(
				$findings,
				array(
					cfbe_check_scheme(),
					cfbe_check_origin( $origin, wp_remote_retrieve_header( $response, 'access-control-allow-origin' ) ),
					cfbe_check_script(),
					cfbe_check_token(),
					cfbe_check_key( isset( $settings['cfg'] ) ? $settings['cfg'] : '' ),
					cfbe_check_popup( $settings ),
					cfbe_check_api_token(),
					cfbe_check_list( $facts ),
					cfbe_check_checkbox_form( $facts ),
					cfbe_check_carts(),
					cfbe_check_opt_in( $facts ),
					cfbe_check_shop( $facts ),
					cfbe_check_webhooks(),
					cfbe_check_signup_queue(),
					cfbe_list_forms( $settings ),
				)
			)
		)
	);
}

/** Reports whether a cfbe server responds at the URL. */
function cfbe_check_server() {
	$health = cfbe_fetch( '/healthz' );
	if ( is_wp_error( $health ) ) {
		/* translators: 1: URL, 2: error message */
		return array( 'error', sprintf( __( 'Could not reach %1$s: %2$s', 'cfbe' ), cfbe_server_url(), $health->get_error_message() ), 'address' );
	}
	$status = wp_remote_retrieve_response_code( $health );
	$body   = json_decode( wp_remote_retrieve_body( $health ), true );
	if ( 200 !== $status || ! is_array( $body ) || ! isset( $body['service'] ) || 'cfbe' !== $body['service'] ) {
		/* translators: 1: URL, 2: HTTP status */
		return array( 'error', sprintf( __( 'No cfbe server found at %1$s (HTTP %2$d). Enter the URL at which its admin opens.', 'cfbe' ), cfbe_server_url(), $status ), 'address' );
	}
	/* translators: %s: URL */
	return array( 'success', sprintf( __( 'Connected to cfbe at %s.', 'cfbe' ), cfbe_server_url() ) );
}

/** Reports mixed content, which browsers block. */
function cfbe_check_scheme() {
	if ( 'https' === wp_parse_url( home_url(), PHP_URL_SCHEME ) && 0 === strpos( cfbe_server_url(), 'http:' ) ) {
		return array( 'error', __( 'This site uses https, but the cfbe server uses http. Browsers block that: serve cfbe over https.', 'cfbe' ) );
	}
}

/**
 * Reports when the server does not allow this site's origin.
 *
 * @param string $origin  Origin of this site.
 * @param string $allowed The server's `Access-Control-Allow-Origin`.
 */
function cfbe_check_origin( $origin, $allowed ) {
	if ( '*' !== $allowed && $origin !== $allowed ) {
		/* translators: %s: origin such as https://shop.example */
		return array( 'error', sprintf( __( 'cfbe does not allow this site’s origin. Add %s to the allowed origins on the General page of the cfbe admin.', 'cfbe' ), $origin ) );
	}
}

/** Reports when the loader script is not served. */
function cfbe_check_script() {
	$response = cfbe_fetch( '/cfbe.js' );
	$type     = (string) wp_remote_retrieve_header( $response, 'content-type' );
	if ( is_wp_error( $response ) || 200 !== wp_remote_retrieve_response_code( $response ) || false === strpos( $type, 'javascript' ) ) {
		return array( 'error', __( 'The script cfbe.js can’t be loaded, or is not served as JavaScript.', 'cfbe' ) );
	}
}

/** Reports when form tokens are missing or cacheable. Signups with a cached token are dropped. */
function cfbe_check_token() {
	$response = cfbe_fetch( '/wp-json/cfbe/v1/form-token' );
	if ( is_wp_error( $response ) || 200 !== wp_remote_retrieve_response_code( $response ) ) {
		return array( 'error', __( 'No form token can be fetched from /wp-json/cfbe/v1/form-token, so forms can’t accept signups.', 'cfbe' ) );
	}
	if ( false === strpos( (string) wp_remote_retrieve_header( $response, 'cache-control' ), 'no-store' ) ) {
		return array( 'error', __( 'A cache in front of the cfbe server may store form tokens. Exclude /wp-json/cfbe/ from caching.', 'cfbe' ) );
	}
}

/**
 * Checks the key with which this site signs. Compares a salt with the server's, by a signature that the server made.
 *
 * @param mixed $cfg A `cfbe_cfg` signed by the server.
 */
function cfbe_check_key( $cfg ) {
	$salt = cfbe_salt();
	if ( null !== cfbe_site_key() ) {
		return cfbe_check_connected( $salt );
	}
	if ( '' === $salt ) {
		return array( 'warning', __( 'This site has no valid key. Named forms work, but the lists, tags and placements of shortcodes and blocks are ignored, and cfbe can’t empty the page caches of this site. Connect this site to cfbe, or set CFBE_SITE_KEY in wp-config.php.', 'cfbe' ) );
	}
	return cfbe_is_signed_config( $cfg, $salt )
		? array( 'success', __( 'The signing salt matches the cfbe server.', 'cfbe' ) )
		: array( 'error', __( 'The signing salt does not match the cfbe server, which therefore ignores the lists, tags and placements of shortcodes and blocks. Copy it again.', 'cfbe' ) );
}

/**
 * Reports when cfbe has revoked this site, and when the site still has the salt.
 *
 * @param string $salt The signing salt.
 */
function cfbe_check_connected( $salt ) {
	if ( false === cfbe_refresh_connection() ) {
		return array( 'error', __( 'This site is not connected any more: cfbe rejects its API token, and has probably revoked its key. Connect it again.', 'cfbe' ), 'address' );
	}
	if ( '' !== cfbe_settings()['salt'] && cfbe_is_connected() ) {
		// The process that connected the site died before it could do so.
		cfbe_replace_settings( array_merge( cfbe_settings(), array( 'salt' => '' ) ) );
		$salt = cfbe_salt();
	}
	if ( '' !== $salt ) {
		$text = defined( 'CFBE_SALT' )
			? __( 'This site has a key of its own. Remove CFBE_SALT from wp-config.php: whoever knows it can sign anything that cfbe signs.', 'cfbe' )
			: __( 'This site has a key of its own. Remove the stored salt: whoever knows it can sign anything that cfbe signs.', 'cfbe' );
		return array( 'warning', $text );
	}
	return array( 'success', __( 'This site signs its forms with a key of its own.', 'cfbe' ) );
}

/**
 * Reports when the popup is on in WordPress but off in cfbe.
 *
 * @param array $settings Public settings of the server.
 */
function cfbe_check_popup( array $settings ) {
	if ( cfbe_settings()['sitewide'] && ! isset( $settings['popup']['rules'] ) ) {
		return array( 'warning', __( 'The popup does not open by itself. Turn on “Show automatically” on the Popup page of the cfbe admin, which is linked under Forms.', 'cfbe' ), 'sitewide' );
	}
}

/** Checks the API token, and reports checkboxes that are not shown without it. */
function cfbe_check_api_token() {
	$has_checkboxes = (bool) array_filter( array_column( cfbe_settings()['checkboxes'], 'on' ) );
	if ( '' === cfbe_api_token() ) {
		return $has_checkboxes
			? array( 'error', __( 'The newsletter checkboxes in other forms are not shown, because cfbe’s API token is missing. Set CFBE_API_TOKEN in wp-config.php.', 'cfbe' ), 'checkboxes' )
			: null;
	}
	$connection = cfbe_connection();
	if ( null !== $connection && $connection['revoked'] && ! defined( 'CFBE_API_TOKEN' ) ) {
		return null;
	}
	$response = cfbe_query( 'counts', array( 'hours' => 1 ) );
	return is_wp_error( $response )
		? array( 'error', $response->get_error_message(), 'checkboxes' )
		: array( 'success', __( 'The API token is valid.', 'cfbe' ) );
}

/**
 * Reports a list that cfbe does not know.
 *
 * @param array|null $facts As from `cfbe_server_facts`.
 */
function cfbe_check_list( $facts ) {
	$list = cfbe_settings()['list'];
	if ( '' !== $list && null !== $facts && ! in_array( $list, array_column( $facts['lists'], 'id' ), true ) ) {
		/* translators: %s: ID of a list */
		return array( 'error', sprintf( __( 'cfbe does not know the list %s, so signups go to its default list. Choose another one, or reload the lists on the Provider page of the cfbe admin.', 'cfbe' ), $list ), 'list' );
	}
}

/**
 * Reports a form that cfbe does not have, or that a checkbox cannot fill in.
 *
 * @param array|null $facts As from `cfbe_server_facts`.
 */
function cfbe_check_checkbox_form( $facts ) {
	$form = cfbe_settings()['checkbox_form'];
	if ( null === $facts || ! array_filter( array_column( cfbe_settings()['checkboxes'], 'on' ) ) ) {
		return null;
	}
	$needs = array_column( $facts['forms'], 'needs', 'name' ) + array( '' => $facts['needs'] );
	if ( ! isset( $needs[ $form ] ) ) {
		/* translators: %s: name of a form */
		return array( 'error', sprintf( __( 'cfbe has no published form “%s”. Signups from checkboxes wait until you choose another one.', 'cfbe' ), $form ), 'checkbox_form' );
	}
	if ( $needs[ $form ] ) {
		/* translators: %s: names of fields, separated by commas */
		return array( 'error', sprintf( __( 'The form has required fields that a checkbox can’t fill in: %s. Signups from checkboxes wait until you choose another one.', 'cfbe' ), implode( ', ', $needs[ $form ] ) ), 'checkbox_form' );
	}
}

/** Reports when the plugin sends carts that the server does not accept. */
function cfbe_check_carts() {
	if ( ! cfbe_settings()['carts'] ) {
		return null;
	}
	$response = cfbe_fetch( '/checkout-session' );
	if ( is_wp_error( $response ) || 200 !== wp_remote_retrieve_response_code( $response ) ) {
		return array( 'error', __( 'cfbe does not accept carts. Turn on “Abandoned cart emails” on the General page of the cfbe admin.', 'cfbe' ), 'carts' );
	}
}

/**
 * Reports when cfbe ignores the checkbox at checkout.
 *
 * @param array|null $facts As from `cfbe_server_facts`.
 */
function cfbe_check_opt_in( $facts ) {
	if ( cfbe_settings()['opt_in'] && null !== $facts && ! $facts['modules']['checkout'] ) {
		return array( 'error', __( 'cfbe signs nobody up at checkout. Turn on “Signup at checkout” on the General page of the cfbe admin.', 'cfbe' ), 'opt_in' );
	}
}

/**
 * Returns the setting that needs WooCommerce's orders in cfbe: they sign people up and end carts.
 *
 * @return string|null
 */
function cfbe_setting_with_orders() {
	$settings = cfbe_settings();
	if ( ! class_exists( 'WooCommerce' ) || ! ( $settings['opt_in'] || $settings['carts'] ) ) {
		return null;
	}
	return $settings['opt_in'] ? 'opt_in' : 'carts';
}

/**
 * Reports when cfbe cannot read WooCommerce's orders.
 *
 * @param array|null $facts As from `cfbe_server_facts`.
 */
function cfbe_check_shop( $facts ) {
	$setting = cfbe_setting_with_orders();
	if ( null === $setting ) {
		return null;
	}
	if ( null === $facts ) {
		return array( 'warning', __( 'Without cfbe’s API token, this page can’t check whether cfbe accepts the orders of this shop. Set CFBE_API_TOKEN in wp-config.php.', 'cfbe' ), $setting );
	}
	if ( 'woocommerce' !== $facts['shop']['kind'] ) {
		return array( 'error', __( 'cfbe expects the orders of another shop system. Choose WooCommerce on the Checkout page of the cfbe admin.', 'cfbe' ), $setting );
	}
	if ( ! $facts['shop']['hasSecret'] ) {
		return array( 'error', __( 'cfbe refuses all orders, because it has no secret. Enter the secret of the webhooks on the Checkout page of the cfbe admin.', 'cfbe' ), $setting );
	}
}

/** Reports when WooCommerce has no active webhook that sends orders to cfbe. */
function cfbe_check_webhooks() {
	$setting = cfbe_setting_with_orders();
	if ( null === $setting ) {
		return null;
	}
	$url = cfbe_server_url() . '/shop-hook/woocommerce';
	foreach ( WC_Data_Store::load( 'webhook' )->get_webhooks_ids( 'active' ) as $id ) {
		$webhook = wc_get_webhook( $id );
		if ( $webhook && strtok( $webhook->get_delivery_url(), '?' ) === $url && in_array( $webhook->get_topic(), array( 'order.created', 'order.updated' ), true ) ) {
			return null;
		}
	}
	/* translators: %s: URL */
	return array( 'error', sprintf( __( 'Orders do not reach cfbe. Under WooCommerce → Settings → Advanced → Webhooks, add webhooks for created, updated and deleted orders with the URL %s.', 'cfbe' ), $url ), $setting );
}

/**
 * Reports signups that wait, and those that were given up in the past 30 days.
 *
 * @return array|null A finding of `cfbe_check_connection`.
 */
function cfbe_check_signup_queue() {
	$waiting  = count( cfbe_waiting_signups() );
	$failures = get_option( CFBE_SIGNUP_FAILURES );
	if ( is_array( $failures ) && $failures['time'] > time() - 30 * DAY_IN_SECONDS ) {
		/* translators: 1: number of signups, 2: date, 3: reason, 4: number of signups */
		return array( 'error', sprintf( __( 'Signups from checkboxes that could not be sent to cfbe: %1$d, the latest on %2$s. %3$s Waiting: %4$d.', 'cfbe' ), $failures['count'], wp_date( get_option( 'date_format' ), $failures['time'] ), $failures['reason'], $waiting ), 'checkboxes' );
	}
	if ( $waiting > 0 ) {
		/* translators: %d: number of signups */
		return array( 'warning', sprintf( __( 'Signups from checkboxes that wait to be sent to cfbe: %d. WordPress’s cron sends them.', 'cfbe' ), $waiting ), 'checkboxes' );
	}
	return null;
}

/**
 * Lists the forms that shortcodes and blocks can use.
 *
 * @param array $settings Public settings of the server.
 */
function cfbe_list_forms( array $settings ) {
	$names = isset( $settings['forms'] ) && is_array( $settings['forms'] ) ? array_keys( $settings['forms'] ) : array();
	if ( $names ) {
		/* translators: %s: names of forms, separated by commas */
		return array( 'success', sprintf( __( 'Available forms: %s', 'cfbe' ), implode( ', ', $names ) ) );
	}
}
