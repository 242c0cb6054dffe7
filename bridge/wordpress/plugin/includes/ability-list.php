<?php
/**
 * Every ability: what it is called, what it takes and answers, and what runs it.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/**
 * The abilities by their name, behind `cfbe/`.
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
			'label'         => __( 'Status of one address', 'cfbe' ),
			'description'   => __( 'Returns everything known of one email address: its signups with status and reason, the consent that was given, and jobs under way. Ask only for an address that somebody asked you about.', 'cfbe' ),
			'input_schema'  => cfbe_object_schema( array( 'email' => cfbe_text_schema( 254 ) ), array( 'email' ) ),
			'output_schema' => cfbe_object_schema( array( 'signups' => cfbe_list_schema() ), array( 'signups' ), true ),
			// WordPress takes what is marked readonly by GET alone, and the address would be in every log on the way.
			'annotations'   => array( 'readonly' => null ) + $reads,
			'run'           => 'cfbe_ability_signup_status',
		),
		'counts'        => array(
			'label'         => __( 'Counts of signup requests', 'cfbe' ),
			'description'   => __( 'Counts the requests to sign up: accepted, refused by which limit, dropped as automated and for which reason, or invalid. “since” is Unix milliseconds. Contains no addresses.', 'cfbe' ),
			'input_schema'  => cfbe_object_schema( array( 'hours' => cfbe_number_schema( 1, 24 * 366 ) ) ),
			'output_schema' => cfbe_counts_schema(),
			'annotations'   => $reads,
			'run'           => static function ( array $input ) {
				return cfbe_ask_question( 'counts', $input );
			},
		),
		'failures'      => array(
			'label'         => __( 'Failed signups and jobs', 'cfbe' ),
			'description'   => __( 'Returns failed signups, counted by reason and list, and background jobs that ran out of retries, with their last error. Contains no addresses.', 'cfbe' ),
			'input_schema'  => cfbe_object_schema( array( 'limit' => cfbe_number_schema( 1, 100 ) ) ),
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
				return cfbe_ask_question( 'failures', $input );
			},
		),
		'poll'          => array(
			'label'         => __( 'Check for confirmations now', 'cfbe' ),
			'description'   => __( 'Asks the email provider who has confirmed since the last check, as happens every 15 minutes anyway. May take a minute. Safe to repeat.', 'cfbe' ),
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
			'run'           => 'cfbe_poll_service',
		),
		'sign-form'     => array(
			'label'         => __( 'Sign a form’s configuration', 'cfbe' ),
			'description'   => __( 'Returns the cfbe_cfg that a form on a page carries, so that its signups go to a list, with tags. The list must be known to the service; otherwise signups go to its default list.', 'cfbe' ),
			'input_schema'  => array( 'minProperties' => 1 ) + cfbe_object_schema(
				array(
					'list'      => cfbe_text_schema( 200 ),
					'tags'      => array(
						'type'     => 'array',
						'items'    => cfbe_text_schema( 64 ),
						'maxItems' => CFBE_MAX_TAGS,
					),
					'placement' => cfbe_text_schema( 100 ),
					'form'      => cfbe_text_schema( 64 ),
					'locale'    => cfbe_text_schema( 35 ),
				)
			),
			'output_schema' => cfbe_object_schema( array( 'cfg' => array( 'type' => 'string' ) ), array( 'cfg' ) ),
			'annotations'   => $reads,
			'run'           => 'cfbe_ability_sign_form',
		),
	);
}

/**
 * What `cfbe/counts` answers.
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
			'since'    => array( 'type' => array( 'integer', 'null' ) ),
			'requests' => array( 'type' => 'integer' ),
			'accepted' => array( 'type' => 'integer' ),
			'invalid'  => $by_reason,
			'refused'  => $by_reason,
			'dropped'  => $by_reason,
			'rejected' => $by_reason,
			'notes'    => $by_reason,
		),
		array( 'requests', 'accepted' ),
		true
	);
}

/**
 * An object.
 *
 * @param array    $properties Each by its name.
 * @param string[] $required   Names of those that must be there.
 * @param bool     $open       Whether it may have others: a newer service may answer more.
 * @return array A JSON Schema. An object that may be empty is so unless it is given.
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
 * A list of objects.
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
 * A line of text.
 *
 * @param int $longest In characters.
 * @return array A JSON Schema.
 */
function cfbe_text_schema( $longest ) {
	return array(
		'type'      => 'string',
		'maxLength' => $longest,
	);
}

/**
 * A whole number.
 *
 * @param int $least At least.
 * @param int $most  At most.
 * @return array A JSON Schema.
 */
function cfbe_number_schema( $least, $most ) {
	return array(
		'type'    => 'integer',
		'minimum' => $least,
		'maximum' => $most,
	);
}
