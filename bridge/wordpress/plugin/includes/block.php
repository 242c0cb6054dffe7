<?php
/**
 * The block `cfbe/form`, rendered on the server.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Registers the block and its editor script. */
function cfbe_register_block() {
	wp_register_script(
		'cfbe-form-editor',
		plugins_url( 'block/editor.js', CFBE_PLUGIN_FILE ),
		array( 'wp-blocks', 'wp-block-editor', 'wp-components', 'wp-element', 'wp-i18n' ),
		CFBE_PLUGIN_VERSION,
		true
	);
	wp_set_script_translations( 'cfbe-form-editor', 'cfbe', dirname( CFBE_PLUGIN_FILE ) . '/languages' );
	register_block_type( dirname( CFBE_PLUGIN_FILE ) . '/block', array( 'render_callback' => 'cfbe_render_block' ) );
}
add_action( 'init', 'cfbe_register_block' );

/**
 * Renders the block.
 *
 * @param array $attributes As saved by the editor.
 * @return string
 */
function cfbe_render_block( $attributes ) {
	$form = cfbe_form_markup( $attributes, 'block' );
	return '' === $form ? '' : sprintf( '<div %s>%s</div>', get_block_wrapper_attributes(), $form );
}
