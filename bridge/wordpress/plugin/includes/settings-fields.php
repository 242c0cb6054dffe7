<?php
/**
 * The fields of the settings page.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Adds the sections and fields. */
function cfbe_add_fields() {
	// A connected site has its server's URL and a key from there.
	if ( ! cfbe_is_connected() ) {
		add_settings_section( 'cfbe_connection', __( 'Connection by hand', 'cfbe' ), 'cfbe_connection_intro', 'cfbe' );
		cfbe_add_field( 'cfbe_connection', 'address', __( 'Server URL', 'cfbe' ), 'cfbe_text_field', __( 'The URL of your cfbe server, for example https://news.example.', 'cfbe' ) );
		// Only a site from an earlier version of the plugin has one.
		if ( '' !== cfbe_salt() ) {
			add_settings_field( 'cfbe_salt', __( 'Signing salt', 'cfbe' ), 'cfbe_salt_field', 'cfbe', 'cfbe_connection', array( 'label_for' => 'cfbe_salt' ) );
		}
	}

	add_settings_section( 'cfbe_forms', __( 'Forms and popup', 'cfbe' ), '__return_null', 'cfbe' );
	cfbe_add_field( 'cfbe_forms', 'list', __( 'List', 'cfbe' ), 'cfbe_list_field', __( 'Used by forms that don’t set a list.', 'cfbe' ) );
	cfbe_add_field( 'cfbe_forms', 'tags', __( 'Tags', 'cfbe' ), 'cfbe_text_field', __( 'Used by forms that don’t set tags. Separated by commas.', 'cfbe' ) );
	cfbe_add_field( 'cfbe_forms', 'sitewide', __( 'Popup', 'cfbe' ), 'cfbe_checkbox_field', __( 'Load the script on every page, so that the popup can open anywhere. The Popup page of the cfbe admin sets when it opens.', 'cfbe' ) );

	add_settings_section( 'cfbe_checkout', __( 'WooCommerce', 'cfbe' ), 'cfbe_checkout_intro', 'cfbe' );
	cfbe_add_field( 'cfbe_checkout', 'carts', __( 'Abandoned carts', 'cfbe' ), 'cfbe_checkbox_field', __( 'Send the cart and the email address typed at the checkout to cfbe.', 'cfbe' ) );
	cfbe_add_field( 'cfbe_checkout', 'opt_in', __( 'Newsletter checkbox', 'cfbe' ), 'cfbe_checkbox_field', __( 'Show a checkbox at the checkout. It is never ticked in advance.', 'cfbe' ) );
	cfbe_add_field( 'cfbe_checkout', 'opt_in_label', __( 'Checkbox label', 'cfbe' ), 'cfbe_text_field', __( 'The order stores this text, and cfbe keeps it as proof of consent.', 'cfbe' ) );

	cfbe_add_checkbox_fields();
}

/**
 * Adds a field.
 *
 * @param string   $section ID of the section.
 * @param string   $name    Name of the setting.
 * @param string   $label   Label.
 * @param callable $render  Prints the field.
 * @param string   $help    Help text.
 */
function cfbe_add_field( $section, $name, $label, $render, $help ) {
	$args = array(
		'name' => $name,
		'help' => $help,
	);
	if ( 'cfbe_checkbox_field' !== $render ) {
		$args['label_for'] = 'cfbe_' . $name;
	}
	add_settings_field( 'cfbe_' . $name, $label, $render, 'cfbe', $section, $args );
}

/**
 * Prints a text field.
 *
 * @param array $field `name` and `help`.
 */
function cfbe_text_field( $field ) {
	$name = $field['name'];
	printf(
		'<input type="text" class="regular-text" id="cfbe_%1$s" name="cfbe_settings[%1$s]" value="%2$s" aria-describedby="cfbe_%1$s_help"><p class="description" id="cfbe_%1$s_help">%3$s</p>',
		esc_attr( $name ),
		esc_attr( cfbe_settings()[ $name ] ),
		esc_html( $field['help'] )
	);
	cfbe_show_field_errors( $name );
}

/**
 * Prints the errors that the last check found about a setting.
 *
 * @param string $name Name of the setting.
 */
function cfbe_show_field_errors( $name ) {
	foreach ( cfbe_known_errors( $name ) as $error ) {
		printf( '<div class="notice notice-error inline"><p>%s</p></div>', esc_html( $error ) );
	}
}

/**
 * Prints the choice of a list.
 *
 * @param array $field `name` and `help`.
 */
function cfbe_list_field( $field ) {
	$facts = cfbe_server_facts();
	cfbe_choice_field( $field, null === $facts ? null : array_column( $facts['lists'], 'name', 'id' ), __( 'Default list of cfbe', 'cfbe' ) );
}

/**
 * Prints the choice of a form.
 *
 * @param array $field `name` and `help`.
 */
function cfbe_form_field( $field ) {
	$facts = cfbe_server_facts();
	cfbe_choice_field( $field, null === $facts ? null : array_column( $facts['forms'], 'name', 'name' ), __( 'Default form', 'cfbe' ) );
}

/**
 * Prints a choice of values that cfbe knows. If they can't be read, prints a text field.
 *
 * @param array      $field   `name` and `help`.
 * @param array|null $choices Labels by value.
 * @param string     $none    Label of the empty value.
 */
function cfbe_choice_field( $field, $choices, $none ) {
	$name  = $field['name'];
	$value = cfbe_settings()[ $name ];
	if ( null === $choices ) {
		$field['help'] .= ' ' . __( 'With cfbe’s API token in wp-config.php, this is a choice.', 'cfbe' );
		cfbe_text_field( $field );
		return;
	}
	if ( '' !== $value && ! isset( $choices[ $value ] ) ) {
		/* translators: %s: ID of a list or name of a form */
		$choices[ $value ] = sprintf( __( '%s (not in cfbe)', 'cfbe' ), $value );
	}
	printf( '<select id="cfbe_%1$s" name="cfbe_settings[%1$s]" aria-describedby="cfbe_%1$s_help">', esc_attr( $name ) );
	foreach ( array( '' => $none ) + $choices as $choice => $label ) {
		printf( '<option value="%s" %s>%s</option>', esc_attr( $choice ), selected( $value, (string) $choice, false ), esc_html( $label ) );
	}
	printf( '</select><p class="description" id="cfbe_%s_help">%s</p>', esc_attr( $name ), esc_html( $field['help'] ) );
	cfbe_show_field_errors( $name );
}

/**
 * Prints a checkbox.
 *
 * @param array $field `name` and `help`.
 */
function cfbe_checkbox_field( $field ) {
	printf(
		'<label><input type="checkbox" name="cfbe_settings[%1$s]" value="1" %2$s> %3$s</label>',
		esc_attr( $field['name'] ),
		checked( cfbe_settings()[ $field['name'] ], true, false ),
		esc_html( $field['help'] )
	);
	cfbe_show_field_errors( $field['name'] );
}

/** Prints the field for the salt. A stored salt is never shown. */
function cfbe_salt_field() {
	if ( defined( 'CFBE_SALT' ) ) {
		echo '<p>' . esc_html__( 'Set in wp-config.php as CFBE_SALT.', 'cfbe' ) . '</p>';
		return;
	}
	printf(
		'<input type="password" class="regular-text" id="cfbe_salt" name="cfbe_settings[salt]" value="" autocomplete="new-password" placeholder="%s" aria-describedby="cfbe_salt_help">',
		esc_attr__( 'Stored. Leave empty to keep it.', 'cfbe' )
	);
	echo '<p><label><input type="checkbox" name="cfbe_settings[remove_salt]" value="1"> ' . esc_html__( 'Remove stored salt', 'cfbe' ) . '</label></p>';
	printf(
		'<p class="description" id="cfbe_salt_help">%s <code dir="ltr">define( \'CFBE_SALT\', \'…\' );</code></p>',
		esc_html__( 'The CFBE_SALT of your cfbe server. The plugin signs the list and tags of each form with it. It is safer in wp-config.php:', 'cfbe' )
	);
}

/** Says how a site that has neither a key nor a salt gets a key. */
function cfbe_connection_intro() {
	if ( ! defined( 'CFBE_SITE_KEY' ) && '' === cfbe_salt() ) {
		printf(
			'<p>%s <code dir="ltr">define( \'CFBE_SITE_KEY\', \'…\' );</code></p>',
			esc_html__( 'Add this site on the Connected sites page of the cfbe admin, and paste the lines that you get into wp-config.php:', 'cfbe' )
		);
	}
}

/** Says that the section's settings need WooCommerce. */
function cfbe_checkout_intro() {
	if ( ! class_exists( 'WooCommerce' ) ) {
		echo '<p>' . esc_html__( 'WooCommerce is not active. These settings apply once it is.', 'cfbe' ) . '</p>';
	}
}
