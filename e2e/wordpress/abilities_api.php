<?php
// A stand-in for the Abilities API in WordPress before 6.9: only what the plugin uses, without REST routes.

class CFBE_Test_Ability {
	public $args;

	public function __construct( array $args ) {
		$this->args = $args;
	}

	public function execute( $input = null ) {
		$schema = $this->args['input_schema'];
		if ( null === $input && array_key_exists( 'default', $schema ) ) {
			$input = $schema['default'];
		}
		$valid = rest_validate_value_from_schema( $input, $schema, 'input' );
		if ( is_wp_error( $valid ) ) {
			return new WP_Error( 'ability_invalid_input', $valid->get_error_message() );
		}
		if ( true !== call_user_func( $this->args['permission_callback'], $input ) ) {
			return new WP_Error( 'ability_invalid_permissions', 'No permission.' );
		}
		$result = call_user_func( $this->args['execute_callback'], $input );
		if ( is_wp_error( $result ) ) {
			return $result;
		}
		$valid = rest_validate_value_from_schema( $result, $this->args['output_schema'], 'output' );
		return is_wp_error( $valid ) ? new WP_Error( 'ability_invalid_output', $valid->get_error_message() ) : $result;
	}

	public function get_label() {
		return $this->args['label'];
	}

	public function get_description() {
		return $this->args['description'];
	}

	public function get_category() {
		return $this->args['category'];
	}

	public function get_input_schema() {
		return $this->args['input_schema'];
	}

	public function get_meta() {
		return $this->args['meta'];
	}
}

/** Returns the registered abilities. Like WordPress, it fires the registration actions at first use. */
function cfbe_test_abilities() {
	static $filled = false;
	if ( ! $filled ) {
		$filled                          = true;
		$GLOBALS['cfbe_test_categories'] = array();
		$GLOBALS['cfbe_test_abilities']  = array();
		do_action( 'wp_abilities_api_categories_init' );
		do_action( 'wp_abilities_api_init' );
	}
	return $GLOBALS['cfbe_test_abilities'];
}

function wp_register_ability_category( $slug, $args ) {
	if ( ! doing_action( 'wp_abilities_api_categories_init' ) || ! preg_match( '/^[a-z0-9]+(-[a-z0-9]+)*$/', $slug ) ) {
		throw new Exception( "The category $slug is registered outside its action or has an invalid name." );
	}
	cfbe_test_require( $args, array( 'label', 'description' ) );
	$GLOBALS['cfbe_test_categories'][ $slug ] = $args;
}

function wp_register_ability( $name, $args ) {
	if ( ! doing_action( 'wp_abilities_api_init' ) || ! preg_match( '/^[a-z0-9-]+\/[a-z0-9-]+$/', $name ) ) {
		throw new Exception( "The ability $name is registered outside its action or has an invalid name." );
	}
	cfbe_test_require( $args, array( 'label', 'description', 'category', 'execute_callback', 'permission_callback' ) );
	if ( ! isset( $GLOBALS['cfbe_test_categories'][ $args['category'] ] ) ) {
		throw new Exception( "The category of $name is not registered." );
	}
	$GLOBALS['cfbe_test_abilities'][ $name ] = new CFBE_Test_Ability( $args );
}

function cfbe_test_require( array $args, array $names ) {
	foreach ( $names as $name ) {
		if ( empty( $args[ $name ] ) || ! ( is_string( $args[ $name ] ) || is_callable( $args[ $name ] ) ) ) {
			throw new Exception( "The registration has no valid $name." );
		}
	}
}

function wp_get_abilities() {
	return cfbe_test_abilities();
}

function wp_get_ability( $name ) {
	return cfbe_test_abilities()[ $name ] ?? null;
}
