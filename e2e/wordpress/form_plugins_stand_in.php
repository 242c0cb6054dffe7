<?php
/**
 * Plugin Name: Form plugins stand-in
 * Description: The classes, functions and hooks of form plugins that the plugin uses, with the arguments that they document.
 *
 * @see https://contactform7.com/docs/
 * @see https://wpforms.com/developers/wpforms_process_complete/
 * @see https://docs.gravityforms.com/gform_after_submission/
 * @see https://developers.elementor.com/docs/hooks/forms/
 */

defined( 'ABSPATH' ) || exit;

/** ID of the system to stand in for. */
define( 'STAND_IN', get_option( 'form_plugins_stand_in' ) );

const STAND_IN_EMAIL = '<input type="email" name="address" aria-label="Email">';
const STAND_IN_TEXT  = '<input type="text" name="text" aria-label="Text">';

if ( 'contact_form_7' === STAND_IN ) {
	class WPCF7_FormTag {
		public $name = 'address';
	}
	class WPCF7_ContactForm {
		public static $current;
		private $fields;
		public function __construct( $fields ) {
			$this->fields = $fields;
			self::$current = $this;
		}
		public static function get_current() {
			return self::$current;
		}
		public function scan_form_tags( $condition ) {
			return array( 'basetype' => 'email' ) === $condition && STAND_IN_EMAIL === $this->fields ? array( new WPCF7_FormTag() ) : array();
		}
	}
	class WPCF7_Submission {
		public static function get_instance() {
			return new self();
		}
		public function get_posted_data( $name ) {
			return $_POST[ $name ];
		}
	}
}
if ( 'wpforms' === STAND_IN ) {
	function wpforms() {}
}
if ( 'gravity_forms' === STAND_IN ) {
	class GFForms {}
	class GF_Field {
		public $id = 3;
		public $type;
		public function __construct( $type ) {
			$this->type = $type;
		}
	}
}

/** Returns the part of a form between its fields and its end. */
function stand_in_footer( $fields ) {
	$type   = STAND_IN_EMAIL === $fields ? 'email' : 'text';
	$button = '<input type="submit" value="Send">';
	switch ( STAND_IN ) {
		case 'contact_form_7':
			new WPCF7_ContactForm( $fields );
			return apply_filters( 'wpcf7_form_elements', $fields . $button );
		case 'wpforms':
			ob_start();
			do_action( 'wpforms_display_submit_before', array( 'fields' => array( 1 => array( 'type' => $type ) ) ) );
			return $fields . ob_get_clean() . $button;
		case 'gravity_forms':
			return $fields . apply_filters( 'gform_submit_button', $button, array( 'fields' => array( new GF_Field( $type ) ) ) );
		case 'elementor':
			$widget = new class() {
				public function get_name() {
					return 'form';
				}
			};
			$html   = $fields . '<div class="elementor-field-group elementor-field-type-submit">' . $button . '</div>';
			return apply_filters( 'elementor/widget/render_content', $html, $widget );
	}
}

/** Fires the hooks of a submission. */
function stand_in_submit() {
	if ( ! isset( $_POST['address'] ) ) {
		return;
	}
	$field = array(
		'type'  => 'email',
		'value' => $_POST['address'],
	);
	switch ( STAND_IN ) {
		case 'contact_form_7':
			do_action( 'wpcf7_submit', new WPCF7_ContactForm( STAND_IN_EMAIL ), array( 'status' => 'mail_sent' ) );
			break;
		case 'wpforms':
			do_action( 'wpforms_process_complete', array( 1 => $field ), $_POST, array(), 0 );
			break;
		case 'gravity_forms':
			do_action( 'gform_after_submission', array( 'status' => 'active', '3' => $_POST['address'] ), array( 'fields' => array( new GF_Field( 'email' ) ) ) );
			break;
		case 'elementor':
			$record = new class( $field ) {
				private $fields;
				public function __construct( $field ) {
					$this->fields = array( 'email' => $field );
				}
				public function get_field( $args ) {
					return wp_list_filter( $this->fields, $args );
				}
			};
			do_action( 'elementor_pro/forms/new_record', $record, null );
	}
}
add_action( 'wp', 'stand_in_submit' );

add_shortcode(
	'stand_in_form',
	static function ( $attributes ) {
		$fields = empty( $attributes['email'] ) ? STAND_IN_TEXT : STAND_IN_EMAIL;
		return '<form method="post">' . stand_in_footer( $fields ) . '</form>';
	}
);

if ( 'elementor' === STAND_IN ) {
	eval( 'namespace ElementorPro; class Plugin {}' ); // phpcs:ignore Squiz.PHP.Eval.Discouraged -- a namespace of its own.
}
