<?php
/**
 * `<cfbe-form>`, and the shortcode `[cfbe_form]`.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/**
 * What a shortcode or a block may say.
 *
 * @return array Name to default.
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
	);
}

/**
 * The configuration that a form's attributes ask for.
 *
 * A form that is only named is the service's business: its list and tags may change there, and no page need be
 * made anew. So nothing is signed for it here.
 *
 * @param array $attributes As of `cfbe_form_attributes`.
 * @return array
 */
function cfbe_form_config( array $attributes ) {
	$settings = cfbe_settings();
	$named    = '' !== $attributes['form'];
	$own      = '' !== $attributes['list'] . $attributes['tags'] . $attributes['placement'];
	if ( $named && ! $own ) {
		return array();
	}
	$placement = '' !== $attributes['placement'] ? $attributes['placement'] : $attributes['form'];
	return array(
		'list'      => '' !== $attributes['list'] ? $attributes['list'] : $settings['list'],
		'tags'      => cfbe_tags( '' !== $attributes['tags'] ? $attributes['tags'] : $settings['tags'] ),
		'placement' => mb_substr( $placement, 0, 100 ),
		'form'      => $attributes['form'],
	);
}

/**
 * The markup of a form. It is the same for every visitor.
 *
 * @param array  $given  Attributes, of a shortcode or a block.
 * @param string $source `shortcode` or `block`.
 * @return string
 */
function cfbe_form_markup( array $given, $source ) {
	$address = cfbe_address();
	if ( '' === $address ) {
		return current_user_can( cfbe_capability() )
			? '<p><strong>' . esc_html__( 'cfbe has no address yet: see Settings, cfbe. Visitors see nothing here.', 'cfbe' ) . '</strong></p>'
			: '';
	}
	cfbe_enqueue();

	$attributes = array();
	foreach ( array_intersect_key( $given, cfbe_form_attributes() ) as $name => $value ) {
		$attributes[ $name ] = is_scalar( $value ) ? trim( (string) $value ) : '';
	}
	$attributes = array_merge( cfbe_form_attributes(), $attributes );
	// What the service would not take for a name is none.
	if ( ! preg_match( '/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/', $attributes['form'] ) ) {
		$attributes['form'] = '';
	}
	$cfg = cfbe_signed_config( cfbe_form_config( $attributes ) );

	$page = $address . '/form' . ( '' === $attributes['form'] ? '' : '/' . $attributes['form'] );
	if ( '' !== $cfg ) {
		$page .= '?cfg=' . rawurlencode( $cfg );
	}
	$link = '' !== $attributes['link'] ? $attributes['link'] : __( 'Subscribe to our newsletter', 'cfbe' );

	$written = '';
	$shown   = array(
		'form'        => $attributes['form'],
		// A named form has a layout at the service; in a shortcode it decides.
		'source'      => 'block' === $source || '' === $attributes['form'] ? $source : '',
		'cfg'         => $cfg,
		'heading'     => $attributes['heading'],
		'text'        => $attributes['text'],
		'button'      => $attributes['button'],
		'theme'       => $attributes['theme'],
		'locale'      => $attributes['locale'],
		'loading'     => $attributes['loading'],
		'success-url' => $attributes['success_url'],
	);
	foreach ( $shown as $name => $value ) {
		if ( '' !== $value ) {
			$written .= sprintf( ' %s="%s"', $name, esc_attr( $value ) );
		}
	}
	return sprintf( '<cfbe-form%s><a href="%s">%s</a></cfbe-form>', $written, esc_url( $page ), esc_html( $link ) );
}

/**
 * `[cfbe_form form="footer" list="…" tags="a,b" heading="…"]`
 *
 * @param array|string $attributes As WordPress has read them.
 * @return string
 */
function cfbe_shortcode( $attributes ) {
	return cfbe_form_markup( shortcode_atts( cfbe_form_attributes(), (array) $attributes, 'cfbe_form' ), 'shortcode' );
}
add_shortcode( 'cfbe_form', 'cfbe_shortcode' );
