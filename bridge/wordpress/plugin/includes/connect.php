<?php
/**
 * Connects this site to cfbe with one click, and disconnects it: OAuth's authorization code with PKCE. An admin of cfbe
 * agrees in the browser; this server then exchanges the code for the keys.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** How long an admin may take to agree, in seconds. */
const CFBE_CONNECT_WINDOW = 900;

/** How often the exchange is tried. Repeating it is safe. */
const CFBE_EXCHANGE_TRIES = 3;

/**
 * Returns the name of the transient with what this user has begun.
 *
 * @return string
 */
function cfbe_connect_transient() {
	return 'cfbe_connect_' . get_current_user_id();
}

/** Stops unless the user may change the settings and has sent the form. */
function cfbe_require_connect_nonce() {
	if ( ! current_user_can( cfbe_capability() ) ) {
		wp_die( esc_html__( 'Sorry, you are not allowed to do that.' ), 403 ); // phpcs:ignore WordPress.WP.I18n.MissingArgDomain -- WordPress's own text.
	}
	check_admin_referer( 'cfbe-connect' );
}

/** Sends the browser to cfbe, whose admin agrees there. */
function cfbe_begin_connect() {
	cfbe_require_connect_nonce();
	$server = cfbe_clean_url( isset( $_POST['server'] ) ? sanitize_text_field( wp_unslash( $_POST['server'] ) ) : '' ); // phpcs:ignore WordPress.Security.NonceVerification.Missing
	if ( null === $server || '' === $server ) {
		cfbe_end_connect( __( 'Enter a URL such as https://news.example, without a query string.', 'cfbe' ) );
	}
	$verifier = cfbe_base64url( random_bytes( 32 ) );
	$state    = cfbe_base64url( random_bytes( 32 ) );
	set_transient( cfbe_connect_transient(), compact( 'server', 'verifier', 'state' ), CFBE_CONNECT_WINDOW );
	$query = array(
		'site'                  => home_url(),
		'name'                  => wp_specialchars_decode( get_bloginfo( 'name' ), ENT_QUOTES ),
		'redirect_uri'          => cfbe_settings_url(),
		'state'                 => $state,
		'code_challenge'        => cfbe_base64url( hash( 'sha256', $verifier, true ) ),
		'code_challenge_method' => 'S256',
		'purge_url'             => rest_url( 'cfbe-bridge/v1/purge' ),
		'shop'                  => class_exists( 'WooCommerce' ) ? 'woocommerce' : '',
	);
	wp_redirect( $server . '/admin/connect?' . http_build_query( $query, '', '&', PHP_QUERY_RFC3986 ) ); // phpcs:ignore WordPress.Security.SafeRedirect.wp_redirect_wp_redirect -- the server that the admin has entered.
	exit;
}
add_action( 'admin_post_cfbe_connect', 'cfbe_begin_connect' );

/** Ends the connection, for the button. */
function cfbe_disconnect_action() {
	cfbe_require_connect_nonce();
	$told = cfbe_disconnect();
	cfbe_end_connect(
		$told ? __( 'Disconnected. cfbe has revoked the key and the API token of this site.', 'cfbe' ) : __( 'Disconnected here, but cfbe could not be told. Revoke this site in the cfbe admin, under Connected sites.', 'cfbe' ),
		$told ? 'success' : 'warning'
	);
}
add_action( 'admin_post_cfbe_disconnect', 'cfbe_disconnect_action' );

/**
 * Goes to the settings page, without a code in its URL, and says what has happened.
 *
 * @param string $message What has happened.
 * @param string $kind    `error`, `warning` or `success`.
 */
function cfbe_end_connect( $message, $kind = 'error' ) {
	set_transient( cfbe_connect_transient() . '_result', array( $kind, $message ), MINUTE_IN_SECONDS );
	wp_safe_redirect( cfbe_settings_url() );
	exit;
}

/** Receives the browser with the code, or with what went wrong. */
function cfbe_finish_connect() {
	// The state takes the place of a nonce: only this user's browser has it, from this site.
	// phpcs:disable WordPress.Security.NonceVerification.Recommended
	if ( ! isset( $_GET['state'] ) || ! is_string( $_GET['state'] ) || ! current_user_can( cfbe_capability() ) ) {
		return;
	}
	$given = array();
	foreach ( array( 'state', 'code', 'error', 'iss' ) as $name ) {
		$given[ $name ] = isset( $_GET[ $name ] ) && is_string( $_GET[ $name ] ) ? sanitize_text_field( wp_unslash( $_GET[ $name ] ) ) : '';
	}
	// phpcs:enable
	$begun = get_transient( cfbe_connect_transient() );
	if ( ! is_array( $begun ) || ! hash_equals( $begun['state'], $given['state'] ) ) {
		// A page that is loaded again after it has connected the site has nothing to do.
		if ( cfbe_is_connected() ) {
			wp_safe_redirect( cfbe_settings_url() );
			exit;
		}
		cfbe_end_connect( __( 'This request to connect was not made here, or is too old. Connect again.', 'cfbe' ) );
	}
	if ( cfbe_clean_url( $given['iss'] ) !== $begun['server'] ) {
		delete_transient( cfbe_connect_transient() );
		/* translators: %s: URL */
		cfbe_end_connect( sprintf( __( 'The answer came from another server. If your cfbe calls itself %s, enter this URL and connect again.', 'cfbe' ), $given['iss'] ) );
	}
	if ( '' === $given['code'] ) {
		delete_transient( cfbe_connect_transient() );
		cfbe_end_connect( __( 'Nobody has agreed in cfbe, so nothing was changed.', 'cfbe' ), 'warning' );
	}
	$facts = cfbe_exchange_code( $begun, $given['code'] );
	if ( is_wp_error( $facts ) ) {
		cfbe_end_connect( $facts->get_error_message() );
	}
	cfbe_apply_connection( $begun['server'], $facts );
	// Last: until here, the page can be loaded again.
	delete_transient( cfbe_connect_transient() );
	/* translators: %s: URL */
	cfbe_end_connect( sprintf( __( 'Connected to cfbe at %s.', 'cfbe' ), $begun['server'] ), 'success' );
}
add_action( 'load-settings_page_cfbe', 'cfbe_finish_connect' );

/**
 * Exchanges the code. If an answer is lost, the server repeats it.
 *
 * @param array  $begun `server` and `verifier`.
 * @param string $code  The code.
 * @return array|WP_Error What the server hands out.
 */
function cfbe_exchange_code( array $begun, $code ) {
	$body = array(
		'code'         => $code,
		'verifier'     => $begun['verifier'],
		'redirect_uri' => cfbe_settings_url(),
	);
	for ( $try = 1; $try <= CFBE_EXCHANGE_TRIES; $try++ ) {
		$response = wp_remote_post(
			$begun['server'] . '/connect/token',
			array(
				'timeout'     => CFBE_CONNECTION_TIMEOUT,
				'redirection' => 0,
				'headers'     => array( 'Content-Type' => 'application/json' ),
				'body'        => wp_json_encode( $body ),
			)
		);
		$status   = wp_remote_retrieve_response_code( $response );
		if ( ! is_wp_error( $response ) && $status < 500 ) {
			break;
		}
	}
	if ( is_wp_error( $response ) ) {
		/* translators: 1: URL, 2: error message */
		return new WP_Error( 'cfbe_unreachable', sprintf( __( 'Could not reach %1$s: %2$s', 'cfbe' ), $begun['server'], $response->get_error_message() ) );
	}
	$facts = json_decode( wp_remote_retrieve_body( $response ), true );
	if ( 200 === $status && cfbe_is_connection( $facts ) ) {
		return $facts;
	}
	if ( isset( $facts['error'] ) && is_string( $facts['error'] ) ) {
		return new WP_Error( 'cfbe_refused', 'cfbe: ' . $facts['error'] );
	}
	/* translators: %d: HTTP status */
	return new WP_Error( 'cfbe_failed', sprintf( __( 'cfbe responded with HTTP %d. Check its log for the reason.', 'cfbe' ), $status ) );
}

/**
 * Sets what the admin of cfbe has agreed to. Safe to repeat.
 *
 * @param string $server URL of the server.
 * @param array  $facts  As the server sent it.
 */
function cfbe_apply_connection( $server, array $facts ) {
	$modules  = isset( $facts['modules'] ) && is_array( $facts['modules'] ) ? $facts['modules'] : array();
	$settings = cfbe_settings();
	// The key behind all keys is no longer needed here.
	$settings['salt']    = '';
	$settings['address'] = $server;
	if ( in_array( 'carts', $modules, true ) ) {
		$settings['carts'] = true;
	}
	if ( in_array( 'checkout', $modules, true ) ) {
		$settings['opt_in'] = true;
		if ( '' === $settings['opt_in_label'] ) {
			$settings['opt_in_label'] = cfbe_in_site_language( 'Send me the newsletter by email. I can unsubscribe at any time.' );
		}
	}
	cfbe_set_order_webhooks( $server, isset( $facts['webhook'] ) ? $facts['webhook'] : null );
	// Before the settings, so that there is a key when the salt is gone. It counts once the address is this server's.
	cfbe_store_connection( $server, $facts, time() );
	cfbe_replace_settings( $settings );
	// What the server now says about this site.
	cfbe_purge_page_caches();
	cfbe_schedule_check();
	cfbe_refresh_findings();
}

/** Warns if the connection's secrets and the key that encrypts them are in one database. */
function cfbe_show_key_warning() {
	if ( ! cfbe_is_connection_key_stored() ) {
		return;
	}
	printf(
		'<div class="notice notice-warning inline"><p><strong>%s</strong> %s</p></div>',
		esc_html__( 'Warning:', 'cfbe' ),
		/* translators: %s: URL */
		esc_html( sprintf( __( 'WordPress keeps the key that encrypts this connection in the database itself, so whoever has a backup of the database has both. In wp-config.php, set SECURE_AUTH_KEY and SECURE_AUTH_SALT to random texts of your own, such as those at %s. Then sign in again, and connect.', 'cfbe' ), 'https://api.wordpress.org/secret-key/1.1/salt/' ) )
	);
}

/** Prints the connection, with the button to make or to end it. */
function cfbe_show_connection() {
	$result = get_transient( cfbe_connect_transient() . '_result' );
	if ( is_array( $result ) ) {
		delete_transient( cfbe_connect_transient() . '_result' );
		printf( '<div class="notice notice-%s inline"><p>%s</p></div>', esc_attr( $result[0] ), esc_html( $result[1] ) );
	}
	$connection = cfbe_connection();
	if ( null === $connection && defined( 'CFBE_SITE_KEY' ) ) {
		return;
	}
	?>
	<h2><?php esc_html_e( 'Connection', 'cfbe' ); ?></h2>
	<?php cfbe_show_key_warning(); ?>
	<form method="post" action="<?php echo esc_url( admin_url( 'admin-post.php' ) ); ?>" id="cfbe-connect">
		<?php wp_nonce_field( 'cfbe-connect' ); ?>
		<?php if ( cfbe_is_connected() ) : ?>
			<input type="hidden" name="action" value="cfbe_disconnect">
			<p>
				<?php
				/* translators: 1: URL, 2: date */
				echo esc_html( sprintf( __( 'This site is connected to %1$s since %2$s, with a key and an API token of its own.', 'cfbe' ), $connection['server'], wp_date( get_option( 'date_format' ), $connection['time'] ) ) );
				?>
			</p>
			<?php submit_button( __( 'Disconnect', 'cfbe' ), 'secondary', 'cfbe_connect', true ); ?>
		<?php else : ?>
			<input type="hidden" name="action" value="cfbe_connect">
			<?php
			if ( null !== $connection ) {
				cfbe_show_field_errors( 'address' );
			}
			?>
			<p><?php esc_html_e( 'Connecting gives this site a key and an API token of its own, which you can revoke here and in cfbe. You sign in to cfbe and agree there.', 'cfbe' ); ?></p>
			<?php if ( '' !== cfbe_salt() ) : ?>
				<p><?php esc_html_e( 'Until now, this site has the signing salt: the key behind all keys of your cfbe server. Connecting replaces it.', 'cfbe' ); ?></p>
			<?php endif; ?>
			<?php if ( '' === cfbe_server_url() ) : ?>
				<p>
					<label for="cfbe_connect_server"><?php esc_html_e( 'Server URL', 'cfbe' ); ?></label><br>
					<input type="text" inputmode="url" class="regular-text" id="cfbe_connect_server" name="server" required placeholder="https://news.example">
				</p>
			<?php else : ?>
				<input type="hidden" name="server" value="<?php echo esc_attr( cfbe_server_url() ); ?>">
				<p><code dir="ltr"><?php echo esc_html( cfbe_server_url() ); ?></code></p>
			<?php endif; ?>
			<?php submit_button( __( 'Connect to cfbe', 'cfbe' ), '' === cfbe_server_url() ? 'primary' : 'secondary', 'cfbe_connect', true ); ?>
		<?php endif; ?>
	</form>
	<?php
}
