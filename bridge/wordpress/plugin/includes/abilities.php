<?php
/**
 * Registers abilities for AI agents with the Abilities API of WordPress 6.9. Older versions never fire its actions.
 *
 * They are the tools of cfbe's MCP server, with hyphens in their names.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Registers the category of the abilities. */
function cfbe_register_ability_category() {
	if ( ! function_exists( 'wp_register_ability_category' ) ) {
		return;
	}
	wp_register_ability_category(
		'cfbe',
		array(
			'label'       => __( 'Newsletter signups', 'cfbe' ),
			'description' => __( 'Queries about the signups on your cfbe server.', 'cfbe' ),
		)
	);
}
add_action( 'wp_abilities_api_categories_init', 'cfbe_register_ability_category' );

/** Registers the abilities. */
function cfbe_register_abilities() {
	if ( ! function_exists( 'wp_register_ability' ) ) {
		return;
	}
	require_once __DIR__ . '/ability-list.php';
	require_once __DIR__ . '/api-client.php';
	foreach ( cfbe_abilities() as $name => $ability ) {
		$run    = $ability['run'];
		$schema = $ability['input_schema'];
		wp_register_ability(
			'cfbe/' . $name,
			array(
				'label'               => $ability['label'],
				'description'         => $ability['description'],
				'category'            => 'cfbe',
				'input_schema'        => $schema,
				'output_schema'       => $ability['output_schema'],
				'permission_callback' => 'cfbe_can_use_abilities',
				'execute_callback'    => static function ( $input = null ) use ( $run, $schema ) {
					// Values from a query string are strings: convert them to the schema's types.
					return $run( rest_sanitize_value_from_schema( $input, $schema ) );
				},
				'meta'                => array(
					'annotations'  => $ability['annotations'],
					'show_in_rest' => true,
				),
			)
		);
	}
}
add_action( 'wp_abilities_api_init', 'cfbe_register_abilities' );

/**
 * Returns whether the current user can run abilities. Only users who can change the settings can.
 *
 * @return bool
 */
function cfbe_can_use_abilities() {
	return current_user_can( cfbe_capability() );
}

/**
 * Returns all signups of an email address.
 *
 * @param array $input `email`.
 * @return array|WP_Error
 */
function cfbe_ability_signup_status( array $input ) {
	$signups = cfbe_query( 'status', $input );
	return is_wp_error( $signups ) ? $signups : array( 'signups' => $signups );
}

/**
 * Signs a form configuration. Without a key or the salt in WordPress, the cfbe server signs it.
 *
 * @param array $input `list`, `tags`, `placement`, `form`, `locale`.
 * @return array|WP_Error
 */
function cfbe_ability_sign_form( array $input ) {
	if ( isset( $input['tags'] ) && strlen( implode( '', $input['tags'] ) ) > CFBE_MAX_TAG_BYTES ) {
		/* translators: %d: number of bytes */
		return new WP_Error( 'cfbe_invalid', sprintf( __( 'The tags are longer than %d bytes in total.', 'cfbe' ), CFBE_MAX_TAG_BYTES ), array( 'status' => 400 ) );
	}
	if ( null === cfbe_site_key() && '' === cfbe_salt() ) {
		return cfbe_query( 'sign', $input );
	}
	return array( 'cfg' => cfbe_signed_config( $input ) );
}
