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

/** Keeps webhooks in an option. */
class WC_Webhook {
	private $id;
	private $data = array( 'status' => 'disabled' );
	public function __construct( $id = 0 ) {
		$this->id   = $id;
		$this->data = $id ? get_option( 'stand_in_webhooks' )[ $id ] : $this->data;
	}
	public function __call( $method, $arguments ) {
		list( $verb, $name ) = explode( '_', $method, 2 );
		if ( 'set' === $verb ) {
			$this->data[ $name ] = $arguments[0];
		}
		return isset( $this->data[ $name ] ) ? $this->data[ $name ] : '';
	}
	public function save() {
		$all      = get_option( 'stand_in_webhooks', array() );
		$this->id = $this->id ? $this->id : 1 + (int) max( array_merge( array( 0 ), array_keys( $all ) ) );
		update_option( 'stand_in_webhooks', array( $this->id => $this->data ) + $all );
		return $this->id;
	}
	public function delete( $force ) {
		$all = get_option( 'stand_in_webhooks', array() );
		unset( $all[ $this->id ] );
		update_option( 'stand_in_webhooks', $all );
	}
}
class WC_Data_Store {
	public static function load( $type ) {
		return new self();
	}
	public function get_webhooks_ids( $status = '' ) {
		return array_keys(
			array_filter(
				get_option( 'stand_in_webhooks', array() ),
				static function ( $webhook ) use ( $status ) {
					return '' === $status || $status === $webhook['status'];
				}
			)
		);
	}
}
function wc_get_webhook( $id ) {
	return new WC_Webhook( $id );
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
