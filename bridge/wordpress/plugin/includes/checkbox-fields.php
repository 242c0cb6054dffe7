<?php
/**
 * The settings of the newsletter checkboxes: one row for each form system that is active.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Adds the section. */
function cfbe_add_checkbox_fields() {
	add_settings_section( 'cfbe_checkboxes', __( 'Newsletter checkbox in other forms', 'cfbe' ), 'cfbe_checkboxes_intro', 'cfbe' );
	foreach ( cfbe_available_checkboxes() as $id ) {
		add_settings_field( 'cfbe_checkbox_' . $id, cfbe_checkbox_class( $id )::title(), 'cfbe_checkbox_row', 'cfbe', 'cfbe_checkboxes', array( 'id' => $id ) );
	}
	cfbe_add_field( 'cfbe_checkboxes', 'checkbox_form', __( 'Form', 'cfbe' ), 'cfbe_form_field', __( 'A form in cfbe whose list and tags apply. It must not have required fields.', 'cfbe' ) );
}

/**
 * Returns the IDs of the form systems that are active.
 *
 * @return string[]
 */
function cfbe_available_checkboxes() {
	return array_filter(
		array_keys( CFBE_CHECKBOXES ),
		static function ( $id ) {
			return cfbe_checkbox_class( $id )::is_available();
		}
	);
}

/** Says what the checkboxes need. */
function cfbe_checkboxes_intro() {
	echo '<p>' . esc_html__( 'Adds a checkbox to the forms of WordPress and of other active plugins. It is never ticked in advance. Anyone who ticks it gets the confirmation email of your cfbe server.', 'cfbe' ) . '</p>';
	if ( '' === cfbe_api_token() ) {
		echo '<p>' . esc_html__( 'Requires the API token of your cfbe server in wp-config.php:', 'cfbe' ) . ' <code dir="ltr">define( \'CFBE_API_TOKEN\', \'…\' );</code></p>';
	}
	cfbe_show_field_errors( 'checkboxes' );
}

/**
 * Returns the text of a checkbox whose text was never changed, which visitors read.
 *
 * @return string
 */
function cfbe_default_checkbox_text() {
	return cfbe_in_site_language( 'Send me the newsletter by email. I can unsubscribe at any time.' );
}

/**
 * Prints the row of a form system.
 *
 * @param array $row `id`.
 */
function cfbe_checkbox_row( $row ) {
	$settings = cfbe_checkbox_settings( $row['id'] );
	$title    = cfbe_checkbox_class( $row['id'] )::title();
	printf(
		'<label><input type="checkbox" name="cfbe_settings[checkboxes][%1$s][on]" value="1" %2$s> <span class="screen-reader-text">%6$s:</span> %3$s</label><br><input type="text" class="large-text" name="cfbe_settings[checkboxes][%1$s][text]" value="%4$s" aria-label="%5$s">',
		esc_attr( $row['id'] ),
		checked( $settings['on'], true, false ),
		esc_html__( 'Show the checkbox with this text:', 'cfbe' ),
		esc_attr( '' !== $settings['text'] ? $settings['text'] : cfbe_default_checkbox_text() ),
		/* translators: %s: name of a plugin */
		esc_attr( sprintf( __( 'Text of the checkbox: %s', 'cfbe' ), $title ) ),
		esc_html( $title )
	);
}

/**
 * Validates submitted settings. Those of inactive form systems, which the page does not show, stay unchanged.
 *
 * @param mixed $input Submitted values by ID.
 * @return array
 */
function cfbe_sanitize_checkboxes( $input ) {
	$clean = cfbe_settings()['checkboxes'];
	foreach ( cfbe_available_checkboxes() as $id ) {
		$given        = isset( $input[ $id ] ) && is_array( $input[ $id ] ) ? $input[ $id ] : array();
		$text         = isset( $given['text'] ) ? mb_substr( sanitize_text_field( $given['text'] ), 0, 500 ) : '';
		$clean[ $id ] = array(
			'on'   => ! empty( $given['on'] ),
			'text' => '' !== $text ? $text : cfbe_default_checkbox_text(),
		);
	}
	return $clean;
}
