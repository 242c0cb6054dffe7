<?php
/**
 * The abilities, with their labels, schemas and callbacks.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/**
 * Returns the abilities by name, without the prefix `cfbe/`.
 *
 * @return array
 */
function cfbe_abilities() {
	$reads = array(
		'readonly'    => true,
		'destructive' => false,
		'idempotent'  => true,
	);
	return array(
		'signup-status' => array(
			'label'         => __( 'Signup status of one email address', 'cfbe' ),
			'description'   => __( 'Returns everything known about one email address: its signups with status and reason, the consent given, and pending jobs. Use it only for an address that a user asked about.', 'cfbe' ),
			'input_schema'  => cfbe_object_schema( array( 'email' => cfbe_string_schema( 254 ) ), array( 'email' ) ),
			'output_schema' => cfbe_object_schema( array( 'signups' => cfbe_list_schema() ), array( 'signups' ), true ),
			// For a readonly ability, WordPress accepts only GET, and the email address would end up in access logs.
			'annotations'   => array( 'readonly' => null ) + $reads,
			'run'           => 'cfbe_ability_signup_status',
		),
		'counts'        => array(
			'label'         => __( 'Signup request counts', 'cfbe' ),
			'description'   => __( 'Counts signup requests: accepted, rate limited (by limit), dropped as automated (by reason), or invalid. “since” is in Unix milliseconds. Contains no email addresses.', 'cfbe' ),
			'input_schema'  => cfbe_object_schema( array( 'hours' => cfbe_integer_schema( 1, 24 * 366 ) ) ),
			'output_schema' => cfbe_counts_schema(),
			'annotations'   => $reads,
			'run'           => static function ( array $input ) {
				return cfbe_query( 'counts', $input );
			},
		),
		'failures'      => array(
			'label'         => __( 'Failed signups and jobs', 'cfbe' ),
			'description'   => __( 'Returns failed signups, counted by reason and list, and background jobs that failed permanently, with their last error. Contains no email addresses.', 'cfbe' ),
			'input_schema'  => cfbe_object_schema( array( 'limit' => cfbe_integer_schema( 1, 100 ) ) ),
			'output_schema' => cfbe_object_schema(
				array(
					'signups' => cfbe_list_schema(),
					'jobs'    => cfbe_list_schema(),
					'more'    => array( 'type' => 'boolean' ),
				),
				array( 'signups', 'jobs', 'more' ),
				true
			),
			'annotations'   => $reads,
			'run'           => static function ( array $input ) {
				return cfbe_query( 'failures', $input );
			},
		),
		'poll'          => array(
			'label'         => __( 'Check for confirmations now', 'cfbe' ),
			'description'   => __( 'Asks the email provider who has confirmed since the last check, which otherwise happens every 15 minutes. Can take a minute. Safe to repeat.', 'cfbe' ),
			'input_schema'  => cfbe_object_schema( array() ),
			'output_schema' => cfbe_object_schema(
				array(
					'lists'     => array( 'type' => 'integer' ),
					'calls'     => array( 'type' => 'integer' ),
					'confirmed' => array( 'type' => 'integer' ),
					'failed'    => array( 'type' => 'integer' ),
					'expired'   => array( 'type' => 'integer' ),
					'trouble'   => array( 'type' => 'string' ),
				),
				array( 'confirmed' ),
				true
			),
			'annotations'   => array( 'readonly' => false ) + $reads,
			'run'           => 'cfbe_poll',
		),
		'sign-form'     => array(
			'label'         => __( 'Sign a form configuration', 'cfbe' ),
			'description'   => __( 'Returns a cfbe_cfg for a form on a page, which sets the list and tags of its signups. If cfbe does not know the list, signups go to the default list.', 'cfbe' ),
			'input_schema'  => array( 'minProperties' => 1 ) + cfbe_object_schema(
				array(
					'list'      => cfbe_string_schema( 200 ),
					'tags'      => array(
						'type'     => 'array',
						'items'    => cfbe_string_schema( 64 ),
						'maxItems' => CFBE_MAX_TAGS,
					),
					'placement' => cfbe_string_schema( 100 ),
					'form'      => cfbe_string_schema( 64 ),
					'locale'    => cfbe_string_schema( 35 ),
				)
			),
			'output_schema' => cfbe_object_schema( array( 'cfg' => array( 'type' => 'string' ) ), array( 'cfg' ) ),
			'annotations'   => $reads,
			'run'           => 'cfbe_ability_sign_form',
		),
	);
}

/**
 * Returns the output schema of `cfbe/counts`.
 *
 * @return array A JSON Schema.
 */
function cfbe_counts_schema() {
	$by_reason = array(
		'type'                 => 'object',
		'additionalProperties' => array( 'type' => 'integer' ),
	);
	return cfbe_object_schema(
		array(
			'since'        => array( 'type' => array( 'integer', 'null' ) ),
			'requests'     => array( 'type' => 'integer' ),
			'accepted'     => array( 'type' => 'integer' ),
			'invalid'      => $by_reason,
			'rate_limited' => $by_reason,
			'dropped'      => $by_reason,
			'rejected'     => $by_reason,
			'notes'        => $by_reason,
		),
		array( 'requests', 'accepted' ),
		true
	);
}

/**
 * Returns the schema of an object.
 *
 * @param array    $properties Schemas by property name.
 * @param string[] $required   Names of the required properties.
 * @param bool     $open       Whether other properties are allowed: a newer server can return more.
 * @return array A JSON Schema. Without required properties, the object defaults to an empty one.
 */
function cfbe_object_schema( array $properties, array $required = array(), $open = false ) {
	$schema = array(
		'type'                 => 'object',
		'additionalProperties' => $open,
	);
	if ( $properties ) {
		$schema['properties'] = $properties;
	}
	if ( $required ) {
		$schema['required'] = $required;
	} else {
		$schema['default'] = new stdClass();
	}
	return $schema;
}

/**
 * Returns the schema of a list of objects.
 *
 * @return array A JSON Schema.
 */
function cfbe_list_schema() {
	return array(
		'type'  => 'array',
		'items' => array( 'type' => 'object' ),
	);
}

/**
 * Returns the schema of a string.
 *
 * @param int $max_length In characters.
 * @return array A JSON Schema.
 */
function cfbe_string_schema( $max_length ) {
	return array(
		'type'      => 'string',
		'maxLength' => $max_length,
	);
}

/**
 * Returns the schema of an integer.
 *
 * @param int $min Lowest value.
 * @param int $max Highest value.
 * @return array A JSON Schema.
 */
function cfbe_integer_schema( $min, $max ) {
	return array(
		'type'    => 'integer',
		'minimum' => $min,
		'maximum' => $max,
	);
}
