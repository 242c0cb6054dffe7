<?php
/**
 * Renders `<cfbe-form>`, and registers the shortcode `[cfbe_form]`.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/**
 * Returns the attributes of shortcodes and blocks.
 *
 * @return array Defaults by name.
 */
function cfbe_form_attributes() {
	return array(
		'form'        => '',
		'list'        => '',
		'tags'        => '',
		'placement'   => '',
		'heading'     => '',
		'text'        => '',
		'button'      => '',
		'theme'       => '',
		'locale'      => '',
		'loading'     => '',
		'success_url' => '',
		'link'        => '',
		'data'        => '',
		'fields'      => '',
	);
}

/**
 * Returns the configuration to sign for a form.
 *
 * Nothing is signed for a form with only a name, so that changes to its list and tags in cfbe apply to pages that
 * exist already.
 *
 * @param array $attributes As in `cfbe_form_attributes`.
 * @return array
 */
function cfbe_form_config( array $attributes ) {
	$settings = cfbe_settings();
	$named    = '' !== $attributes['form'];
	$has_own  = '' !== $attributes['list'] . $attributes['tags'] . $attributes['placement'];
	if ( $named && ! $has_own ) {
		return array();
	}
	$placement = '' !== $attributes['placement'] ? $attributes['placement'] : $attributes['form'];
	return array(
		'list'      => '' !== $attributes['list'] ? $attributes['list'] : $settings['list'],
		'tags'      => cfbe_parse_tags( '' !== $attributes['tags'] ? $attributes['tags'] : $settings['tags'] ),
		'placement' => mb_substr( $placement, 0, 100 ),
		'form'      => $attributes['form'],
	);
}

/**
 * Returns the attributes with the values of hidden fields. Ignores invalid names.
 *
 * @param string $text For example `shop=berlin, topic=tea`.
 * @return array For example `data-shop` with `berlin`.
 */
function cfbe_data_attributes( $text ) {
	$attributes = array();
	foreach ( explode( ',', $text ) as $pair ) {
		$parts = array_map( 'trim', explode( '=', $pair, 2 ) );
		// `data-cfbe-` attributes configure the script.
		if ( 2 === count( $parts ) && preg_match( '/^(?!cfbe-)[a-z][a-z0-9_-]{0,63}$/D', $parts[0] ) ) {
			$attributes[ 'data-' . $parts[0] ] = mb_substr( $parts[1], 0, 200 );
		}
	}
	return $attributes;
}

/**
 * Returns the markup of a form. It is the same for every visitor.
 *
 * @param array  $given   Attributes of a shortcode or a block.
 * @param string $source  `shortcode` or `block`, which also determines the layout.
 * @param bool   $follows Whether the layout that a named form has in cfbe applies instead.
 * @return string
 */
function cfbe_form_markup( array $given, $source, $follows ) {
	$url = cfbe_server_url();
	if ( '' === $url ) {
		return current_user_can( cfbe_capability() )
			? '<p><strong>' . esc_html__( 'Enter the URL of your cfbe server under Settings → cfbe. Until then, visitors see nothing here.', 'cfbe' ) . '</strong></p>'
			: '';
	}
	cfbe_enqueue();

	$attributes = array();
	foreach ( array_intersect_key( $given, cfbe_form_attributes() ) as $name => $value ) {
		$attributes[ $name ] = is_scalar( $value ) ? trim( (string) $value ) : '';
	}
	$attributes = array_merge( cfbe_form_attributes(), $attributes );
	if ( ! cfbe_is_form_name( $attributes['form'] ) ) {
		$attributes['form'] = '';
	}
	$cfg = cfbe_signed_config( cfbe_form_config( $attributes ) );

	$page = $url . '/form' . ( '' === $attributes['form'] ? '' : '/' . $attributes['form'] );
	if ( '' !== $cfg ) {
		$page .= '?cfg=' . rawurlencode( $cfg );
	}
	$link = '' !== $attributes['link'] ? $attributes['link'] : __( 'Subscribe to our newsletter', 'cfbe' );

	if ( $follows && '' !== $attributes['form'] ) {
		$source = '';
	}
	$tag_attributes = '';
	$values         = array(
		'form'        => $attributes['form'],
		'source'      => $source,
		'preload'     => implode( ' ', array_filter( array( 'block' === $source ? 'layout' : '', $attributes['fields'] ? 'fields' : '' ) ) ),
		'cfg'         => $cfg,
		'heading'     => $attributes['heading'],
		'text'        => $attributes['text'],
		'button'      => $attributes['button'],
		'theme'       => $attributes['theme'],
		'locale'      => $attributes['locale'],
		'loading'     => $attributes['loading'],
		'success-url' => $attributes['success_url'],
	) + cfbe_data_attributes( $attributes['data'] );
	foreach ( $values as $name => $value ) {
		if ( '' !== $value ) {
			$tag_attributes .= sprintf( ' %s="%s"', $name, esc_attr( $value ) );
		}
	}
	// Phrasing content, because a shortcode can be in a paragraph.
	return sprintf( '<span class="cfbe-column"><cfbe-form%s><a href="%s">%s</a></cfbe-form></span>', $tag_attributes, esc_url( $page ), esc_html( $link ) );
}

/**
 * Renders `[cfbe_form form="footer" list="…" tags="a,b" heading="…"]`.
 *
 * @param array|string $attributes As parsed by WordPress.
 * @return string
 */
function cfbe_shortcode( $attributes ) {
	return cfbe_form_markup( shortcode_atts( cfbe_form_attributes(), (array) $attributes, 'cfbe_form' ), 'shortcode', true );
}
add_shortcode( 'cfbe_form', 'cfbe_shortcode' );
