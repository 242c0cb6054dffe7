<?php
/**
 * The fields of the settings page.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Adds sections and fields. */
function cfbe_add_fields() {
	add_settings_section( 'cfbe_service', __( 'The service', 'cfbe' ), '__return_null', 'cfbe' );
	cfbe_add_field( 'cfbe_service', 'address', __( 'Address', 'cfbe' ), 'cfbe_text_field', __( 'Where your cfbe service answers, for example https://news.example.', 'cfbe' ) );
	add_settings_field( 'cfbe_salt', __( 'Signing salt', 'cfbe' ), 'cfbe_salt_field', 'cfbe', 'cfbe_service', array( 'label_for' => 'cfbe_salt' ) );

	add_settings_section( 'cfbe_forms', __( 'Forms and popup', 'cfbe' ), '__return_null', 'cfbe' );
	cfbe_add_field( 'cfbe_forms', 'list', __( 'List', 'cfbe' ), 'cfbe_text_field', __( 'For forms that name none. It must be known to the service; empty is its default list.', 'cfbe' ) );
	cfbe_add_field( 'cfbe_forms', 'tags', __( 'Tags', 'cfbe' ), 'cfbe_text_field', __( 'For forms that name none, separated by commas.', 'cfbe' ) );
	cfbe_add_field( 'cfbe_forms', 'sitewide', __( 'Popup', 'cfbe' ), 'cfbe_switch_field', __( 'Load the script on every page, so that the popup can show itself. Its rules are in the service.', 'cfbe' ) );

	add_settings_section( 'cfbe_checkout', __( 'WooCommerce', 'cfbe' ), 'cfbe_checkout_intro', 'cfbe' );
	cfbe_add_field( 'cfbe_checkout', 'carts', __( 'Abandoned carts', 'cfbe' ), 'cfbe_switch_field', __( 'Tell the service what lies in the cart, and the address typed, on the classic checkout.', 'cfbe' ) );
	cfbe_add_field( 'cfbe_checkout', 'opt_in', __( 'Newsletter box', 'cfbe' ), 'cfbe_switch_field', __( 'Show a box at the checkout, classic and block. It is never ticked beforehand.', 'cfbe' ) );
	cfbe_add_field( 'cfbe_checkout', 'opt_in_label', __( 'Words beside the box', 'cfbe' ), 'cfbe_text_field', __( 'The same as on the service’s Checkout tab, whose words the record of consent holds.', 'cfbe' ) );
}

/**
 * Adds a field.
 *
 * @param string   $section Where it stands.
 * @param string   $name    Of the setting.
 * @param string   $label   Beside it.
 * @param callable $show    Draws it.
 * @param string   $help    Below it.
 */
function cfbe_add_field( $section, $name, $label, $show, $help ) {
	$told = array(
		'name' => $name,
		'help' => $help,
	);
	if ( 'cfbe_text_field' === $show ) {
		$told['label_for'] = 'cfbe_' . $name;
	}
	add_settings_field( 'cfbe_' . $name, $label, $show, 'cfbe', $section, $told );
}

/**
 * A line of text.
 *
 * @param array $field Name and help.
 */
function cfbe_text_field( $field ) {
	$name = $field['name'];
	printf(
		'<input type="text" class="regular-text" id="cfbe_%1$s" name="cfbe_settings[%1$s]" value="%2$s" aria-describedby="cfbe_%1$s_help"><p class="description" id="cfbe_%1$s_help">%3$s</p>',
		esc_attr( $name ),
		esc_attr( cfbe_settings()[ $name ] ),
		esc_html( $field['help'] )
	);
}

/**
 * A box to tick.
 *
 * @param array $field Name and help.
 */
function cfbe_switch_field( $field ) {
	printf(
		'<label><input type="checkbox" name="cfbe_settings[%1$s]" value="1" %2$s> %3$s</label>',
		esc_attr( $field['name'] ),
		checked( cfbe_settings()[ $field['name'] ], true, false ),
		esc_html( $field['help'] )
	);
}

/** The salt: it is written, and never shown. */
function cfbe_salt_field() {
	if ( defined( 'CFBE_SALT' ) ) {
		echo '<p>' . esc_html__( 'Set in wp-config.php, as CFBE_SALT.', 'cfbe' ) . '</p>';
		return;
	}
	$stored = '' !== cfbe_settings()['salt'];
	printf(
		'<input type="password" class="regular-text" id="cfbe_salt" name="cfbe_settings[salt]" value="" autocomplete="new-password" placeholder="%s" aria-describedby="cfbe_salt_help">',
		esc_attr( $stored ? __( 'Stored. Leave empty to keep it', 'cfbe' ) : '' )
	);
	if ( $stored ) {
		echo ' <label><input type="checkbox" name="cfbe_settings[forget_salt]" value="1"> ' . esc_html__( 'Forget it', 'cfbe' ) . '</label>';
	}
	printf(
		'<p class="description" id="cfbe_salt_help">%s <code>define( \'CFBE_SALT\', \'…\' );</code></p>',
		esc_html__( 'The service’s CFBE_SALT. With it pages can say which list and tags a form has. It is safer in wp-config.php:', 'cfbe' )
	);
}

/** What the section needs. */
function cfbe_checkout_intro() {
	if ( ! class_exists( 'WooCommerce' ) ) {
		echo '<p>' . esc_html__( 'WooCommerce is not active: these wait for it.', 'cfbe' ) . '</p>';
	}
}
