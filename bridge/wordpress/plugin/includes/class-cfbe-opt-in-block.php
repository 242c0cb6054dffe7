<?php
/**
 * The newsletter checkbox on the checkout block.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Loads the script before that of the checkout block, which draws the checkbox as one of its parts. */
class Cfbe_Opt_In_Block implements \Automattic\WooCommerce\Blocks\Integrations\IntegrationInterface {
	/** @inheritDoc */
	public function get_name() {
		return 'cfbe-opt-in';
	}

	/** @inheritDoc */
	public function initialize() {
		wp_register_script( 'cfbe-opt-in-block', plugins_url( 'assets/opt-in-block.js', CFBE_PLUGIN_FILE ), array( 'wc-blocks-checkout', 'wc-blocks-data-store', 'wc-settings', 'wp-data', 'wp-element' ), CFBE_PLUGIN_VERSION, true );
	}

	/** @inheritDoc */
	public function get_script_handles() {
		return array( 'cfbe-opt-in-block' );
	}

	/** @inheritDoc */
	public function get_editor_script_handles() {
		return array();
	}

	/** @inheritDoc */
	public function get_script_data() {
		$label = cfbe_settings()['opt_in_label'];
		return array(
			'label' => $label,
			'shown' => cfbe_sign_text( $label ),
		);
	}
}
