<?php
/**
 * The service's script tag: once a page, `async`, and nothing in it that depends on the visitor.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Puts the script and the room that a form takes into this page. May be called as often as there are forms. */
function cfbe_enqueue() {
	$address = cfbe_address();
	if ( '' === $address ) {
		return;
	}
	// Without a version: the service's own headers say how long it may be kept.
	wp_enqueue_script( 'cfbe', $address . '/cfbe.js', array(), null, true ); // phpcs:ignore WordPress.WP.EnqueuedResourceParameters.MissingVersion
	if ( wp_style_is( 'cfbe', 'registered' ) ) {
		return;
	}
	wp_register_style( 'cfbe', false, array(), CFBE_PLUGIN_VERSION );
	wp_enqueue_style( 'cfbe' );
	// The heights that the widget documents for a form with its usual texts, so that nothing moves when it comes.
	wp_add_inline_style(
		'cfbe',
		'cfbe-form[source=shortcode]:not([hidden]){display:block;min-height:217px}' .
		'@media(max-width:600px){cfbe-form[source=shortcode]:not([hidden]){min-height:297px}}'
	);
}

/** In the page's head where it is known by then that there will be a form; forms found later ask for it themselves. */
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
 * Makes the tag `async`, and lets it read the e-mail field of a classic checkout. WordPress has its own way for
 * the first since 6.3 alone, and none for the second.
 *
 * @param string $tag    The tag as WordPress wrote it.
 * @param string $handle Which script it is.
 * @return string
 */
function cfbe_script_tag( $tag, $handle ) {
	if ( 'cfbe' !== $handle ) {
		return $tag;
	}
	$attributes = ' async data-cfasync="false"';
	if ( cfbe_tells_carts() ) {
		$attributes .= ' data-checkout="#billing_email"';
	}
	return preg_replace( '/ src=/', $attributes . ' src=', $tag, 1 );
}
add_filter( 'script_loader_tag', 'cfbe_script_tag', 10, 2 );
