<?php
/**
 * Plugin Name: WooCommerce stand-in
 * Description: The functions, classes and hooks of WooCommerce that the plugin uses, with the same arguments.
 */

defined( 'ABSPATH' ) || exit;

class WooCommerce {
	public $cart;
}

class WC_Data {
	private $meta = array();
	public function update_meta_data( $key, $value ) {
		$this->meta[ $key ] = $value;
	}
	public function get_meta( $key ) {
		return isset( $this->meta[ $key ] ) ? $this->meta[ $key ] : '';
	}
	public function all_meta() {
		return $this->meta;
	}
}
class WC_Order extends WC_Data {}

class WC_Webhook {
	public function get_delivery_url() {
		return get_option( 'stand_in_webhook' );
	}
	public function get_topic() {
		return 'order.updated';
	}
}
class WC_Data_Store {
	public static function load( $type ) {
		return new self();
	}
	public function get_webhooks_ids( $status ) {
		return get_option( 'stand_in_webhook' ) ? array( 1 ) : array();
	}
}
function wc_get_webhook( $id ) {
	return new WC_Webhook();
}

class WC_AJAX {
	public static function get_endpoint( $request ) {
		return esc_url_raw( add_query_arg( 'wc-ajax', $request, home_url( '/', 'relative' ) ) );
	}
}

function WC() {
	static $shop;
	$shop = $shop ? $shop : new WooCommerce();
	return $shop;
}
function is_checkout() {
	return is_page( 'checkout' );
}
function is_cart() {
	return is_page( 'cart' );
}
function is_wc_endpoint_url() {
	return isset( $_GET['order-received'] );
}

add_action(
	'init',
	static function () {
		wp_register_script( 'wc-blocks-data-store', false, array(), '1', true );
		do_action( 'before_woocommerce_init' );
		do_action( 'woocommerce_init' );
	},
	0
);
