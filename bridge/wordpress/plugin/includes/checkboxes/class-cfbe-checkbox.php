<?php
/**
 * The newsletter checkbox in a form of another plugin, or of WordPress itself.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Base class: one subclass per form system. Nothing here can make the other form fail. */
abstract class Cfbe_Checkbox {
	/** Name of the checkbox in requests. */
	const FIELD = 'cfbe_signup';

	/**
	 * The text beside the checkbox.
	 *
	 * @var string
	 */
	private $text;

	/**
	 * ID of the form system, as in the settings.
	 *
	 * @var string
	 */
	private $id;

	/**
	 * Creates the checkbox of a form system.
	 *
	 * @param string $id   ID of the form system.
	 * @param string $text The text beside the checkbox.
	 */
	public function __construct( $id, $text ) {
		$this->id   = $id;
		$this->text = $text;
	}

	/**
	 * Returns the name of the form system, for the settings page.
	 *
	 * @return string
	 */
	abstract public static function title();

	/**
	 * Returns whether the form system is active.
	 *
	 * @return bool
	 */
	abstract public static function is_available();

	/** Adds the hooks that show the checkbox and read it. */
	abstract public function register();

	/**
	 * Returns the checkbox. It is never ticked in advance.
	 *
	 * @param mixed $form The form, as its system passes it to hooks.
	 * @return string HTML; empty if the form is to have no checkbox.
	 */
	protected function html( $form = null ) {
		/**
		 * Filters whether a form has the newsletter checkbox.
		 *
		 * @param bool   $show True.
		 * @param string $id   An ID of `CFBE_CHECKBOXES`, such as `comments`.
		 * @param mixed  $form The form, as its system passes it to hooks.
		 */
		if ( ! apply_filters( 'cfbe_show_checkbox', true, $this->id, $form ) ) {
			return '';
		}
		return sprintf(
			'<span class="cfbe-checkbox" style="display:block;flex-basis:100%%;margin-bottom:1em"><label><input type="checkbox" name="%s" value="%s"%s> %s</label></span>',
			self::FIELD,
			esc_attr( cfbe_sign_text( $this->text ) ),
			// Stays ticked when the form is shown again with errors.
			checked( null !== $this->ticked_text(), true, false ),
			esc_html( $this->text )
		);
	}

	/**
	 * Returns the text that the visitor agreed to. The checkbox's value carries it, signed, because a cached page may
	 * show an earlier text than that in the settings.
	 *
	 * @return string|null Null if the checkbox was not ticked.
	 */
	protected function ticked_text() {
		// phpcs:disable WordPress.Security.NonceVerification.Missing -- the other form's own checks apply.
		$value = isset( $_POST[ self::FIELD ] ) && is_string( $_POST[ self::FIELD ] ) ? sanitize_text_field( wp_unslash( $_POST[ self::FIELD ] ) ) : '';
		// phpcs:enable
		return cfbe_signed_text( $value );
	}

	/**
	 * Signs up an email address if the visitor has ticked the checkbox.
	 *
	 * @param mixed $email The email address that the visitor entered.
	 */
	protected function sign_up_if_ticked( $email ) {
		$opt_in = $this->opt_in();
		if ( null !== $opt_in ) {
			$this->sign_up( $email, $opt_in );
		}
	}

	/**
	 * Returns what the visitor agreed to, for a form whose signup is sent later.
	 *
	 * @return array|null `text`, `ip` and `locale`. Null if the checkbox was not ticked.
	 */
	protected function opt_in() {
		$text = $this->ticked_text();
		if ( null === $text ) {
			return null;
		}
		return array(
			'text'   => $text,
			'ip'     => cfbe_client_ip(),
			'locale' => determine_locale(),
		);
	}

	/**
	 * Signs up an email address.
	 *
	 * @param mixed $email  The email address that the visitor entered.
	 * @param array $opt_in What `opt_in` returned when the visitor sent the form.
	 */
	protected function sign_up( $email, array $opt_in ) {
		cfbe_queue_signup( $email, $opt_in['text'], $opt_in['ip'], $opt_in['locale'] );
	}

	/**
	 * Calls a method on an action.
	 *
	 * @param string $hook   The action.
	 * @param string $method Method of this object.
	 * @param int    $count  Number of arguments.
	 */
	protected function on( $hook, $method, $count = 1 ) {
		add_action(
			$hook,
			function ( ...$arguments ) use ( $method ) {
				$this->call( $method, $arguments );
			},
			10,
			$count
		);
	}

	/**
	 * Changes a value with a method. The value stays as it is if the method fails or returns another type.
	 *
	 * @param string $hook   The filter.
	 * @param string $method Method of this object.
	 * @param int    $count  Number of arguments.
	 */
	protected function change( $hook, $method, $count = 1 ) {
		add_filter(
			$hook,
			function ( ...$arguments ) use ( $method ) {
				$changed = $this->call( $method, $arguments );
				return gettype( $changed ) === gettype( $arguments[0] ) ? $changed : $arguments[0];
			},
			10,
			$count
		);
	}

	/**
	 * Calls a method and logs its errors, so that they never reach the other form.
	 *
	 * @param string $method    Method of this object.
	 * @param array  $arguments Its arguments.
	 * @return mixed Its result. Null if it failed.
	 */
	private function call( $method, array $arguments ) {
		try {
			return $this->$method( ...$arguments );
		} catch ( Throwable $error ) {
			// phpcs:ignore WordPress.PHP.DevelopmentFunctions.error_log_error_log
			error_log( sprintf( 'cfbe: the newsletter checkbox of %s failed: %s', $this->id, $error->getMessage() ) );
			return null;
		}
	}
}
