<?php
/**
 * The block `cfbe/form`, rendered on the server.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Registers the block and its editor scripts. */
function cfbe_register_block() {
	cfbe_register_editor_script( 'cfbe-form-preview', 'preview', array( 'wp-components', 'wp-element', 'wp-i18n' ) );
	cfbe_register_editor_script( 'cfbe-form-editor', 'editor', array( 'cfbe-form-preview', 'wp-blocks', 'wp-block-editor' ) );
	$page = array(
		'server' => cfbe_server_url(),
		'locale' => get_bloginfo( 'language' ),
	);
	wp_add_inline_script( 'cfbe-form-preview', 'window.cfbeEditor = ' . wp_json_encode( $page ) . ';', 'before' );
	wp_set_script_translations( 'cfbe-form-editor', 'cfbe', dirname( CFBE_PLUGIN_FILE ) . '/languages' );
	register_block_type( dirname( CFBE_PLUGIN_FILE ) . '/block', array( 'render_callback' => 'cfbe_render_block' ) );
}
add_action( 'init', 'cfbe_register_block' );

/**
 * Registers a script of the block editor.
 *
 * @param string   $handle       Its handle.
 * @param string   $name         Name of its file.
 * @param string[] $dependencies Handles of scripts to load before.
 */
function cfbe_register_editor_script( $handle, $name, array $dependencies ) {
	wp_register_script( $handle, plugins_url( "block/$name.js", CFBE_PLUGIN_FILE ), $dependencies, CFBE_PLUGIN_VERSION, true );
}

/**
 * Renders the block.
 *
 * @param array $attributes As saved by the editor.
 * @return string
 */
function cfbe_render_block( $attributes ) {
	$layout = isset( $attributes['layout'] ) ? $attributes['layout'] : 'block';
	$form   = cfbe_form_markup( $attributes, 'inline' === $layout ? 'shortcode' : 'block', 'form' === $layout );
	return '' === $form ? '' : sprintf( '<div %s>%s</div>', get_block_wrapper_attributes(), $form );
}
