<?php
/**
 * Loads the translation that fits a locale best. WordPress loads only that of exactly the same locale.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Locales that read another language than the one they are named after. */
const CFBE_READS = array(
	'ary'   => 'ar',
	'nn'    => 'nb',
	'zh'    => 'zh_CN',
	'zh_HK' => 'zh_TW',
	'zh_MO' => 'zh_TW',
);

/** Loads the translations. */
function cfbe_load_textdomain() {
	load_plugin_textdomain( 'cfbe', false, dirname( plugin_basename( CFBE_PLUGIN_FILE ) ) . '/languages' );
}
add_action( 'init', 'cfbe_load_textdomain', 1 );

/**
 * Replaces the file of a locale that has no translation, such as `de_DE_formal`, by that of its language.
 *
 * @param string $file   Path such as `…/cfbe-de_DE_formal.mo`, or `…/cfbe-de_DE-cfbe-form-editor.json`.
 * @param string $domain Text domain.
 * @return string
 */
function cfbe_translation_file( $file, $domain ) {
	if ( 'cfbe' !== $domain || is_readable( $file ) || ! preg_match( '~cfbe-([a-z]{2,3})(_[A-Z]{2})?[^/-]*(\.mo|-cfbe-form-editor\.json)$~', $file, $parts ) ) {
		return $file;
	}
	list( , $language, $region, $end ) = $parts;
	foreach ( array( $language . $region, $language ) as $locale ) {
		$locale = isset( CFBE_READS[ $locale ] ) ? CFBE_READS[ $locale ] : $locale;
		$found  = dirname( CFBE_PLUGIN_FILE ) . "/languages/cfbe-$locale$end";
		if ( is_readable( $found ) ) {
			return $found;
		}
	}
	return $file;
}
add_filter( 'load_textdomain_mofile', 'cfbe_translation_file', 10, 2 );

/**
 * Does the same for the scripts of the block editor.
 *
 * @param string|false $file   Path of a translation.
 * @param string       $handle Handle of the script.
 * @param string       $domain Text domain.
 * @return string|false
 */
function cfbe_script_translation_file( $file, $handle, $domain ) {
	return is_string( $file ) && 'cfbe-form-editor' === $handle ? cfbe_translation_file( $file, $domain ) : $file;
}
add_filter( 'load_script_translation_file', 'cfbe_script_translation_file', 10, 3 );

/**
 * Translates a text into the language of the site. In wp-admin, `__` translates into that of the user.
 *
 * @param string $text An English text of the plugin.
 * @return string
 */
function cfbe_in_site_language( $text ) {
	$file         = cfbe_translation_file( dirname( CFBE_PLUGIN_FILE ) . '/languages/cfbe-' . get_locale() . '.mo', 'cfbe' );
	$translations = new MO();
	return is_readable( $file ) && $translations->import_from_file( $file ) ? $translations->translate( $text ) : $text;
}
