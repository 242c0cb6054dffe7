<?php
/**
 * The page Settings → cfbe, and the validation of its input.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Adds the page to the Settings menu. */
function cfbe_add_settings_page() {
	add_options_page( __( 'cfbe: newsletter signup', 'cfbe' ), 'cfbe', cfbe_capability(), 'cfbe', 'cfbe_settings_page' );
}
add_action( 'admin_menu', 'cfbe_add_settings_page' );

/**
 * Returns the URL of the page.
 *
 * @return string
 */
function cfbe_settings_url() {
	return admin_url( 'options-general.php?page=cfbe' );
}

/**
 * Adds a link to the page on the Plugins page.
 *
 * @param string[] $links Links of the plugin.
 * @return string[]
 */
function cfbe_plugin_links( $links ) {
	array_unshift( $links, sprintf( '<a href="%s">%s</a>', esc_url( cfbe_settings_url() ), esc_html__( 'Settings', 'cfbe' ) ) );
	return $links;
}
add_filter( 'plugin_action_links_' . plugin_basename( CFBE_PLUGIN_FILE ), 'cfbe_plugin_links' );

/** After activation, asks for the server URL on the Plugins page. */
function cfbe_show_setup_notice() {
	$screen = get_current_screen();
	if ( '' !== cfbe_server_url() || ! $screen || 'plugins' !== $screen->id || ! current_user_can( cfbe_capability() ) ) {
		return;
	}
	printf(
		'<div class="notice notice-info"><p>%s <a href="%s">%s</a></p></div>',
		esc_html__( 'To show signup forms, cfbe needs the URL of your server.', 'cfbe' ),
		esc_url( cfbe_settings_url() ),
		esc_html__( 'Settings', 'cfbe' )
	);
}
add_action( 'admin_notices', 'cfbe_show_setup_notice' );

/** Registers the option. WordPress's form handler checks the nonce and the capability. */
function cfbe_register_settings() {
	if ( '' !== cfbe_server_url() ) {
		cfbe_schedule_check();
	}
	register_setting( 'cfbe', 'cfbe_settings', array( 'sanitize_callback' => 'cfbe_sanitize_settings' ) );
	cfbe_add_fields();
}
add_action( 'admin_init', 'cfbe_register_settings' );
add_filter( 'option_page_capability_cfbe', 'cfbe_capability' );

/**
 * Validates submitted settings. An invalid value is reported, and its setting stays unchanged.
 *
 * @param mixed $input Submitted values.
 * @return array
 */
function cfbe_sanitize_settings( $input ) {
	$input = array_merge( cfbe_defaults(), is_array( $input ) ? $input : array() );
	$clean = cfbe_settings();

	// The page of a connected site does not ask for it.
	$url = cfbe_is_connected() ? $clean['address'] : cfbe_clean_url( $input['address'] );
	if ( null === $url ) {
		add_settings_error( 'cfbe_settings', 'cfbe_address', __( 'Enter a URL such as https://news.example, without a query string.', 'cfbe' ) );
	} else {
		$clean['address'] = $url;
	}

	// Only a site from an earlier version of the plugin has a salt: the page asks no other site for one.
	$salt = '' === $clean['salt'] ? '' : trim( (string) $input['salt'] );
	if ( ! empty( $input['remove_salt'] ) ) {
		$clean['salt'] = '';
	} elseif ( '' !== $salt && strlen( $salt ) < CFBE_SALT_MIN_LENGTH ) {
		/* translators: %d: number of characters */
		add_settings_error( 'cfbe_settings', 'cfbe_salt', sprintf( __( 'The signing salt must have at least %d characters. Copy all of it.', 'cfbe' ), CFBE_SALT_MIN_LENGTH ) );
	} elseif ( '' !== $salt ) {
		$clean['salt'] = $salt;
	}

	$clean['list'] = mb_substr( sanitize_text_field( $input['list'] ), 0, 200 );

	$tags    = cfbe_parse_tags( $input['tags'] );
	$entered = array_filter( array_map( 'trim', explode( ',', (string) $input['tags'] ) ), 'strlen' );
	$removed = array_diff( $entered, $tags );
	if ( $removed ) {
		/* translators: %s: tags, separated by commas */
		add_settings_error( 'cfbe_settings', 'cfbe_tags', sprintf( __( 'Invalid or excess tags were removed: %s', 'cfbe' ), esc_html( implode( ', ', $removed ) ) ), 'warning' );
	}
	$clean['tags'] = implode( ', ', $tags );

	foreach ( array( 'sitewide', 'carts', 'opt_in' ) as $name ) {
		$clean[ $name ] = ! empty( $input[ $name ] );
	}
	$clean['opt_in_label'] = mb_substr( sanitize_text_field( $input['opt_in_label'] ), 0, 200 );
	if ( $clean['opt_in'] && '' === $clean['opt_in_label'] ) {
		$clean['opt_in'] = false;
		add_settings_error( 'cfbe_settings', 'cfbe_opt_in', __( 'Enter a label for the newsletter checkbox to turn it on.', 'cfbe' ) );
	}

	$clean['checkboxes'] = cfbe_sanitize_checkboxes( $input['checkboxes'] );
	$form                = trim( (string) $input['checkbox_form'] );
	if ( '' === $form || cfbe_is_form_name( $form ) ) {
		$clean['checkbox_form'] = $form;
	} else {
		add_settings_error( 'cfbe_settings', 'cfbe_checkbox_form', __( 'The name of a form contains only letters, digits, - and _.', 'cfbe' ) );
	}
	return $clean;
}

/** Prints the page. */
function cfbe_settings_page() {
	if ( ! current_user_can( cfbe_capability() ) ) {
		return;
	}
	// phpcs:disable WordPress.Security.NonceVerification.Recommended -- only read, to decide what the page shows.
	$saved = isset( $_GET['settings-updated'] );
	// phpcs:enable
	$requested = isset( $_GET['cfbe-check'] ) && check_admin_referer( 'cfbe-check' );
	if ( isset( $_GET['cfbe-forget'] ) && check_admin_referer( 'cfbe-forget' ) ) {
		delete_option( CFBE_SIGNUP_FAILURES );
		$requested = true;
	}
	?>
	<div class="wrap">
		<h1><?php echo esc_html( get_admin_page_title() ); ?></h1>
		<?php
		if ( $saved || $requested ) {
			cfbe_show_findings( cfbe_refresh_findings() );
		}
		cfbe_show_connection();
		?>
		<form method="post" action="options.php">
			<?php
			settings_fields( 'cfbe' );
			do_settings_sections( 'cfbe' );
			?>
			<p class="submit">
				<?php submit_button( '', 'primary', 'submit', false ); ?>
				<?php if ( '' !== cfbe_server_url() ) : ?>
					<a class="button" href="<?php echo esc_url( wp_nonce_url( add_query_arg( 'cfbe-check', '1', cfbe_settings_url() ), 'cfbe-check' ) ); ?>"><?php esc_html_e( 'Check connection', 'cfbe' ); ?></a>
				<?php endif; ?>
				<?php if ( get_option( CFBE_SIGNUP_FAILURES ) ) : ?>
					<a class="button" href="<?php echo esc_url( wp_nonce_url( add_query_arg( 'cfbe-forget', '1', cfbe_settings_url() ), 'cfbe-forget' ) ); ?>"><?php esc_html_e( 'Stop reporting lost signups', 'cfbe' ); ?></a>
				<?php endif; ?>
			</p>
		</form>
		<?php cfbe_show_help(); ?>
	</div>
	<?php
}

/**
 * Prints the results of the connection check.
 *
 * @param array $findings As from `cfbe_check_connection`.
 */
function cfbe_show_findings( array $findings ) {
	$labels = array(
		'success' => __( 'OK:', 'cfbe' ),
		'warning' => __( 'Warning:', 'cfbe' ),
		'error'   => __( 'Error:', 'cfbe' ),
	);
	foreach ( $findings as $finding ) {
		list( $kind, $text ) = $finding;
		printf(
			'<div class="notice notice-%s inline"><p><strong>%s</strong> %s</p></div>',
			esc_attr( $kind ),
			esc_html( $labels[ $kind ] ),
			esc_html( $text )
		);
	}
}

/** Prints how to add forms, empty caches and connect AI agents. */
function cfbe_show_help() {
	$caches = array_keys( cfbe_active_caches() );
	?>
	<h2><?php esc_html_e( 'Add a form to a page', 'cfbe' ); ?></h2>
	<p><code dir="ltr">[cfbe_form]</code> <code dir="ltr">[cfbe_form form="footer"]</code> <code dir="ltr">[cfbe_form list="65f0…" tags="vip, spring" heading="News"]</code></p>
	<p><?php esc_html_e( 'You can also use the block “Newsletter signup”. Forms work on fully cached pages.', 'cfbe' ); ?></p>
	<h2><?php esc_html_e( 'Page caches', 'cfbe' ); ?></h2>
	<p>
		<?php
		echo esc_html(
			$caches
				/* translators: %s: names of plugins, separated by commas */
				? sprintf( __( 'Emptied when you save these settings: %s.', 'cfbe' ), implode( ', ', $caches ) )
				: __( 'No supported page cache found. To empty another one, hook into the action cfbe_purge_page_cache.', 'cfbe' )
		);
		?>
	</p>
	<?php if ( ! cfbe_is_connected() ) : ?>
		<p><?php esc_html_e( 'So that cfbe empties them too, copy this URL to “Page caches” on the General page of the cfbe admin:', 'cfbe' ); ?> <code dir="ltr" id="cfbe-purge-url"><?php echo esc_html( rest_url( 'cfbe-bridge/v1/purge' ) ); ?></code></p>
	<?php endif; ?>
	<h2><?php esc_html_e( 'AI agents', 'cfbe' ); ?></h2>
	<?php if ( function_exists( 'wp_register_ability' ) ) : ?>
		<p>
			<?php esc_html_e( 'AI agents of users who can change these settings can query signups through the Abilities API.', 'cfbe' ); ?>
			<?php if ( '' === cfbe_api_token() ) : ?>
				<?php esc_html_e( 'Requires the API token of your cfbe server in wp-config.php:', 'cfbe' ); ?>
				<code dir="ltr">define( 'CFBE_API_TOKEN', '…' );</code>
			<?php endif; ?>
		</p>
	<?php else : ?>
		<p><?php esc_html_e( 'Requires WordPress 6.9 or later.', 'cfbe' ); ?></p>
	<?php endif; ?>
	<?php
}

/** Suggests a text for the site's privacy policy. */
function cfbe_privacy_text() {
	wp_add_privacy_policy_content(
		'cfbe',
		'<p>' . esc_html__( 'When you sign up for the newsletter, your email address and any other information you enter in the form are sent to this site’s signup service. It stores a record of your consent, including your IP address.', 'cfbe' ) . '</p>'
	);
}
add_action( 'admin_init', 'cfbe_privacy_text' );
