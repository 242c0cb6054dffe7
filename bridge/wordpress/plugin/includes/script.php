<?php
/**
 * Adds cfbe's script tag: once per page, `async`, and the same for every visitor.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Adds the script, and the CSS that reserves space for a form. Can be called once for each form. */
function cfbe_enqueue() {
	$url = cfbe_server_url();
	if ( '' === $url ) {
		return;
	}
	// No version: the server's response headers control caching.
	wp_enqueue_script( 'cfbe', $url . '/cfbe.js', array(), null, true ); // phpcs:ignore WordPress.WP.EnqueuedResourceParameters.MissingVersion
	if ( wp_style_is( 'cfbe', 'registered' ) ) {
		return;
	}
	wp_register_style( 'cfbe', false, array(), CFBE_PLUGIN_VERSION );
	wp_enqueue_style( 'cfbe' );
	// Heights of a form with default texts, from the widget's documentation. They prevent a layout shift.
	wp_add_inline_style(
		'cfbe',
		'cfbe-form[source=shortcode]:not([hidden]){display:block;min-height:217px}' .
		'@media(max-width:600px){cfbe-form[source=shortcode]:not([hidden]){min-height:297px}}'
	);
}

/** Adds the script to the head of pages known to contain a form. Other forms add it when they are rendered. */
function cfbe_enqueue_early() {
	$post = is_singular() ? get_post() : null;
	if (
		cfbe_settings()['sitewide'] ||
		( $post && ( has_shortcode( $post->post_content, 'cfbe_form' ) || has_block( 'cfbe/form', $post ) ) )
	) {
		cfbe_enqueue();
	}
}
add_action( 'wp_enqueue_scripts', 'cfbe_enqueue_early' );

/**
 * Makes the tag `async`, and names the email field of a classic checkout. WordPress supports the former only
 * since 6.3, and the latter not at all.
 *
 * @param string $tag    The tag as written by WordPress.
 * @param string $handle Handle of the script.
 * @return string
 */
function cfbe_script_tag( $tag, $handle ) {
	if ( 'cfbe' !== $handle ) {
		return $tag;
	}
	$attributes = ' async data-cfasync="false"';
	if ( cfbe_sends_cart() ) {
		$attributes .= ' data-checkout="#billing_email"';
	}
	return preg_replace( '/ src=/', $attributes . ' src=', $tag, 1 );
}
add_filter( 'script_loader_tag', 'cfbe_script_tag', 10, 2 );
