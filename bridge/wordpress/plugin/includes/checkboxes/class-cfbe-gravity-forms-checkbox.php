<?php
/**
 * The checkbox of Gravity Forms' forms.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Adds the checkbox to each form that has an email field. */
class Cfbe_Gravity_Forms_Checkbox extends Cfbe_Checkbox {
	/** @inheritDoc */
	public static function title() {
		return 'Gravity Forms';
	}

	/** @inheritDoc */
	public static function is_available() {
		return class_exists( 'GFForms' );
	}

	/** @inheritDoc */
	public function register() {
		$this->change( 'gform_submit_button', 'prepend', 2 );
		$this->on( 'gform_after_submission', 'read', 2 );
	}

	/**
	 * Adds the checkbox above the submit button.
	 *
	 * @param string $button HTML of the button.
	 * @param array  $form   The form.
	 * @return string
	 */
	protected function prepend( $button, $form ) {
		return ( self::email_fields( $form ) ? $this->html( $form ) : '' ) . $button;
	}

	/**
	 * Reads a submission.
	 *
	 * @param array $entry Values by ID of the field, and the `status` of the entry.
	 * @param array $form  The form.
	 */
	protected function read( $entry, $form ) {
		if ( isset( $entry['status'] ) && 'spam' === $entry['status'] ) {
			return;
		}
		foreach ( self::email_fields( $form ) as $field ) {
			if ( ! empty( $entry[ (string) $field->id ] ) ) {
				$this->sign_up_if_ticked( $entry[ (string) $field->id ] );
				return;
			}
		}
	}

	/**
	 * Returns the email fields of a form.
	 *
	 * @param array $form The form.
	 * @return GF_Field[]
	 */
	private static function email_fields( $form ) {
		return wp_list_filter( $form['fields'], array( 'type' => 'email' ) );
	}
}
