<?php
/**
 * The checkbox of the forms of Elementor Pro.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Adds the checkbox to each form that has an email field. */
class Cfbe_Elementor_Checkbox extends Cfbe_Checkbox {
	/** @inheritDoc */
	public static function title() {
		return 'Elementor';
	}

	/** @inheritDoc */
	public static function is_available() {
		return class_exists( '\ElementorPro\Plugin' );
	}

	/** @inheritDoc */
	public function register() {
		$this->change( 'elementor/widget/render_content', 'insert', 2 );
		$this->on( 'elementor_pro/forms/new_record', 'read' );
	}

	/**
	 * Adds the checkbox above the submit button.
	 *
	 * @param string                 $html   HTML of a widget.
	 * @param \Elementor\Widget_Base $widget The widget.
	 * @return string
	 */
	protected function insert( $html, $widget ) {
		if ( 'form' !== $widget->get_name() || false === strpos( $html, 'type="email"' ) ) {
			return $html;
		}
		$checkbox = $this->html( $widget );
		// In a callback, because a text such as "$1 off" is not a reference.
		return preg_replace_callback(
			'/<div[^>]*\belementor-field-type-submit\b/',
			static function ( $found ) use ( $checkbox ) {
				return $checkbox . $found[0];
			},
			$html,
			1
		);
	}

	/**
	 * Reads a submission.
	 *
	 * @param \ElementorPro\Modules\Forms\Classes\Form_Record $record Fields by ID, each with its `type` and `value`.
	 */
	protected function read( $record ) {
		foreach ( $record->get_field( array( 'type' => 'email' ) ) as $field ) {
			if ( '' !== (string) $field['value'] ) {
				$this->sign_up_if_ticked( $field['value'] );
				return;
			}
		}
	}
}
