<?php
/**
 * The checkbox of WPForms' forms.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Adds the checkbox to each form that has an email field. */
class Cfbe_Wpforms_Checkbox extends Cfbe_Checkbox {
	/** @inheritDoc */
	public static function title() {
		return 'WPForms';
	}

	/** @inheritDoc */
	public static function is_available() {
		return function_exists( 'wpforms' );
	}

	/** @inheritDoc */
	public function register() {
		$this->on( 'wpforms_display_submit_before', 'show' );
		$this->on( 'wpforms_process_complete', 'read' );
	}

	/**
	 * Prints the checkbox above the submit button.
	 *
	 * @param array $form The form, with its `fields`.
	 */
	protected function show( $form ) {
		if ( wp_list_filter( $form['fields'], array( 'type' => 'email' ) ) ) {
			echo $this->html( $form ); // phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- escaped by html().
		}
	}

	/**
	 * Reads a submission.
	 *
	 * @param array $fields The form's fields, each with its `type` and `value`.
	 */
	protected function read( $fields ) {
		foreach ( wp_list_filter( $fields, array( 'type' => 'email' ) ) as $field ) {
			if ( '' !== (string) $field['value'] ) {
				$this->sign_up_if_ticked( $field['value'] );
				return;
			}
		}
	}
}
