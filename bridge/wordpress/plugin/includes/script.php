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
	// Reserves the heights of forms with default texts and fields, to prevent a layout shift: by the width of the page,
	// and in browsers that can, by that of the column. A test in shared/reserved_height_test.ts compares them with the
	// heights in cfbe's documentation. Themes outline what has the focus, and the form does that itself.
	wp_add_inline_style(
		'cfbe',
		'cfbe-form:not([hidden]){display:block;--cfbe-min-height:218px;min-height:var(--cfbe-min-height)}' .
		'@media(max-width:600px){cfbe-form:not([hidden]){--cfbe-min-height:298px}}' .
		'@container(max-width:600px){cfbe-form:not([hidden]){--cfbe-min-height:298px}}' .
		'cfbe-form[source=block]:not([hidden]){display:block;--cfbe-min-height:251px;min-height:var(--cfbe-min-height)}' .
		'@media(max-width:1040px){cfbe-form[source=block]:not([hidden]){--cfbe-min-height:268px}}' .
		'@container(max-width:1040px){cfbe-form[source=block]:not([hidden]){--cfbe-min-height:268px}}' .
		'@media(max-width:600px){cfbe-form[source=block]:not([hidden]){--cfbe-min-height:293px}}' .
		'@container(max-width:600px){cfbe-form[source=block]:not([hidden]){--cfbe-min-height:293px}}' .
		// A column that is as wide as its content, such as in a row, gets the width of a form, and can be narrower.
		'.cfbe-column{display:block}.cfbe-column,.wp-block-cfbe-form{min-width:0}' .
		'@supports(contain-intrinsic-inline-size:1px){.cfbe-column{container-type:inline-size;contain-intrinsic-inline-size:34rem}}' .
		'cfbe-form:focus{outline:none}'
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
	if ( cfbe_sends_cart() && ! cfbe_is_block_checkout() ) {
		$attributes .= ' data-checkout="#billing_email"';
	}
	return preg_replace( '/ src=/', $attributes . ' src=', $tag, 1 );
}
add_filter( 'script_loader_tag', 'cfbe_script_tag', 10, 2 );
