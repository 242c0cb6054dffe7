<?php
/**
 * The checkbox of Contact Form 7's forms.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Adds the checkbox to each form that has an email field. */
class Cfbe_Contact_Form_7_Checkbox extends Cfbe_Checkbox {
	/** @inheritDoc */
	public static function title() {
		return 'Contact Form 7';
	}

	/** @inheritDoc */
	public static function is_available() {
		return class_exists( 'WPCF7_Submission' );
	}

	/** @inheritDoc */
	public function register() {
		$this->change( 'wpcf7_form_elements', 'insert' );
		$this->on( 'wpcf7_submit', 'read', 2 );
	}

	/**
	 * Adds the checkbox before the submit button, or at the end of a form without one.
	 *
	 * @param string $html HTML of the form's fields.
	 * @return string
	 */
	protected function insert( $html ) {
		$form = WPCF7_ContactForm::get_current();
		if ( ! $form || ! self::email_fields( $form ) ) {
			return $html;
		}
		$checkbox = $this->html( $form );
		$button   = preg_match( '/<(?:input|button)\b[^>]*\btype="submit"/', $html, $found, PREG_OFFSET_CAPTURE ) ? $found[0][1] : strlen( $html );
		return substr( $html, 0, $button ) . $checkbox . substr( $html, $button );
	}

	/**
	 * Reads a submission. A failed mail does not matter: the visitor has submitted the form.
	 *
	 * @param WPCF7_ContactForm $form   The form.
	 * @param array             $result With the `status` of the submission.
	 */
	protected function read( $form, $result ) {
		if ( ! in_array( $result['status'], array( 'mail_sent', 'mail_failed' ), true ) ) {
			return;
		}
		foreach ( self::email_fields( $form ) as $field ) {
			$email = WPCF7_Submission::get_instance()->get_posted_data( $field->name );
			if ( is_string( $email ) && '' !== $email ) {
				$this->sign_up_if_ticked( $email );
				return;
			}
		}
	}

	/**
	 * Returns the email fields of a form.
	 *
	 * @param WPCF7_ContactForm $form The form.
	 * @return WPCF7_FormTag[]
	 */
	private static function email_fields( $form ) {
		return $form->scan_form_tags( array( 'basetype' => 'email' ) );
	}
}
