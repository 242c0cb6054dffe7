<?php
/**
 * Settings, cfbe: the page, and what becomes of what was typed.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Puts the page below Settings. */
function cfbe_add_settings_page() {
	add_options_page( __( 'cfbe: newsletter signup', 'cfbe' ), 'cfbe', cfbe_capability(), 'cfbe', 'cfbe_settings_page' );
}
add_action( 'admin_menu', 'cfbe_add_settings_page' );

/**
 * Address of the page.
 *
 * @return string
 */
function cfbe_settings_url() {
	return admin_url( 'options-general.php?page=cfbe' );
}

/**
 * A way to the page from the list of plugins.
 *
 * @param string[] $links As WordPress shows them.
 * @return string[]
 */
function cfbe_plugin_links( $links ) {
	array_unshift( $links, sprintf( '<a href="%s">%s</a>', esc_url( cfbe_settings_url() ), esc_html__( 'Settings', 'cfbe' ) ) );
	return $links;
}
add_filter( 'plugin_action_links_' . plugin_basename( CFBE_PLUGIN_FILE ), 'cfbe_plugin_links' );

/** Says on the list of plugins what is left to do after the activation. */
function cfbe_notice_without_address() {
	$screen = get_current_screen();
	if ( '' !== cfbe_address() || ! $screen || 'plugins' !== $screen->id || ! current_user_can( cfbe_capability() ) ) {
		return;
	}
	printf(
		'<div class="notice notice-info"><p>%s <a href="%s">%s</a></p></div>',
		esc_html__( 'cfbe needs the address of your signup service.', 'cfbe' ),
		esc_url( cfbe_settings_url() ),
		esc_html__( 'Settings', 'cfbe' )
	);
}
add_action( 'admin_notices', 'cfbe_notice_without_address' );

/** Registers the option: WordPress's own form handler checks nonce and capability. */
function cfbe_register_settings() {
	register_setting( 'cfbe', 'cfbe_settings', array( 'sanitize_callback' => 'cfbe_sanitize_settings' ) );
	cfbe_add_fields();
}
add_action( 'admin_init', 'cfbe_register_settings' );
add_filter( 'option_page_capability_cfbe', 'cfbe_capability' );

/**
 * Makes settings of what was typed. What makes no sense is told, and stays as it was.
 *
 * @param mixed $typed What the form sent.
 * @return array
 */
function cfbe_sanitize_settings( $typed ) {
	$typed = array_merge( cfbe_defaults(), is_array( $typed ) ? $typed : array() );
	$clean = cfbe_settings();

	$address = cfbe_clean_address( $typed['address'] );
	if ( null === $address ) {
		add_settings_error( 'cfbe_settings', 'cfbe_address', __( 'The address must look like https://news.example, without a query.', 'cfbe' ) );
	} else {
		$clean['address'] = $address;
	}

	$salt = trim( (string) $typed['salt'] );
	if ( ! empty( $typed['forget_salt'] ) ) {
		$clean['salt'] = '';
	} elseif ( '' !== $salt && strlen( $salt ) < CFBE_SALT_MIN_LENGTH ) {
		/* translators: %d: number of characters */
		add_settings_error( 'cfbe_settings', 'cfbe_salt', sprintf( __( 'The signing salt has %d characters or more: copy all of it.', 'cfbe' ), CFBE_SALT_MIN_LENGTH ) );
	} elseif ( '' !== $salt ) {
		$clean['salt'] = $salt;
	}

	$clean['list'] = mb_substr( sanitize_text_field( $typed['list'] ), 0, 200 );

	$tags    = cfbe_tags( $typed['tags'] );
	$written = array_filter( array_map( 'trim', explode( ',', (string) $typed['tags'] ) ), 'strlen' );
	$left    = array_diff( $written, $tags );
	if ( $left ) {
		/* translators: %s: tags, separated by commas */
		add_settings_error( 'cfbe_settings', 'cfbe_tags', sprintf( __( 'These can be no tags, or are too many, and were left out: %s', 'cfbe' ), esc_html( implode( ', ', $left ) ) ), 'warning' );
	}
	$clean['tags'] = implode( ', ', $tags );

	foreach ( array( 'sitewide', 'carts', 'opt_in' ) as $switch ) {
		$clean[ $switch ] = ! empty( $typed[ $switch ] );
	}
	$clean['opt_in_label'] = mb_substr( sanitize_text_field( $typed['opt_in_label'] ), 0, 200 );
	if ( $clean['opt_in'] && '' === $clean['opt_in_label'] ) {
		$clean['opt_in'] = false;
		add_settings_error( 'cfbe_settings', 'cfbe_opt_in', __( 'The box at the checkout needs the words that stand beside it.', 'cfbe' ) );
	}
	return $clean;
}

/** The page. */
function cfbe_settings_page() {
	if ( ! current_user_can( cfbe_capability() ) ) {
		return;
	}
	// phpcs:disable WordPress.Security.NonceVerification.Recommended -- read to show a page, and nothing is changed.
	$saved = isset( $_GET['settings-updated'] );
	// phpcs:enable
	$asked = isset( $_GET['cfbe-check'] ) && check_admin_referer( 'cfbe-check' );
	?>
	<div class="wrap">
		<h1><?php echo esc_html( get_admin_page_title() ); ?></h1>
		<?php
		if ( '' !== cfbe_address() && ( $saved || $asked ) ) {
			cfbe_show_findings( cfbe_check_connection() );
		}
		?>
		<form method="post" action="options.php">
			<?php
			settings_fields( 'cfbe' );
			do_settings_sections( 'cfbe' );
			?>
			<p class="submit">
				<?php submit_button( '', 'primary', 'submit', false ); ?>
				<?php if ( '' !== cfbe_address() ) : ?>
					<a class="button" href="<?php echo esc_url( wp_nonce_url( add_query_arg( 'cfbe-check', '1', cfbe_settings_url() ), 'cfbe-check' ) ); ?>"><?php esc_html_e( 'Check the connection', 'cfbe' ); ?></a>
				<?php endif; ?>
			</p>
		</form>
		<?php cfbe_show_help(); ?>
	</div>
	<?php
}

/**
 * Shows what the check has found.
 *
 * @param array $findings As of `cfbe_check_connection`.
 */
function cfbe_show_findings( array $findings ) {
	$signs = array(
		'success' => __( 'Good:', 'cfbe' ),
		'warning' => __( 'Mind:', 'cfbe' ),
		'error'   => __( 'Wrong:', 'cfbe' ),
	);
	foreach ( $findings as list( $kind, $text ) ) {
		printf(
			'<div class="notice notice-%s inline"><p><strong>%s</strong> %s</p></div>',
			esc_attr( $kind ),
			esc_html( $signs[ $kind ] ),
			esc_html( $text )
		);
	}
}

/** What to write into a page, and where the service reaches the plugin. */
function cfbe_show_help() {
	$caches = array_keys( cfbe_present_caches() );
	?>
	<h2><?php esc_html_e( 'In a page', 'cfbe' ); ?></h2>
	<p><code>[cfbe_form]</code> <code>[cfbe_form form="footer"]</code> <code>[cfbe_form list="65f0…" tags="vip, spring" heading="News"]</code></p>
	<p><?php esc_html_e( 'Or the block “Newsletter signup”. Pages may be cached for everybody alike.', 'cfbe' ); ?></p>
	<h2><?php esc_html_e( 'Page caches', 'cfbe' ); ?></h2>
	<p>
		<?php
		echo esc_html(
			$caches
				/* translators: %s: names of plugins, separated by commas */
				? sprintf( __( 'Emptied when something is saved here: %s.', 'cfbe' ), implode( ', ', $caches ) )
				: __( 'None that the plugin knows is here. Others can listen to the action cfbe_purge_page_cache.', 'cfbe' )
		);
		?>
	</p>
	<p><?php esc_html_e( 'The service empties them at this address:', 'cfbe' ); ?> <code><?php echo esc_html( rest_url( 'cfbe-bridge/v1/purge' ) ); ?></code></p>
	<h2><?php esc_html_e( 'AI agents', 'cfbe' ); ?></h2>
	<?php if ( function_exists( 'wp_register_ability' ) ) : ?>
		<p>
			<?php esc_html_e( 'Agents of users who may change these settings can ask about signups through the Abilities API. For that, set the service’s API token in wp-config.php:', 'cfbe' ); ?>
			<code>define( 'CFBE_API_TOKEN', '…' );</code>
		</p>
	<?php else : ?>
		<p><?php esc_html_e( 'Agents can ask about signups from WordPress 6.9 on.', 'cfbe' ); ?></p>
	<?php endif; ?>
	<?php
}

/** What a site's owner may say of it to visitors: a text for the privacy policy's guide. */
function cfbe_privacy_text() {
	wp_add_privacy_policy_content(
		'cfbe',
		'<p>' . esc_html__( 'Who signs up for the newsletter sends their e-mail address, and what else the form asks for, to the signup service of this site, which keeps a record of consent with the IP address.', 'cfbe' ) . '</p>'
	);
}
add_action( 'admin_init', 'cfbe_privacy_text' );
