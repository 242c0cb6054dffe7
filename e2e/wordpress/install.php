<?php
// Installs WordPress, and the plugin from its zip as an admin would. Arguments: folder of WordPress, path of the zip.
list( , $cfbe_folder, $cfbe_zip ) = $argv;

$cfbe_db = new mysqli( 'localhost', 'root', '', '', 0, getenv( 'CFBE_TEST_SOCKET' ) );
$cfbe_db->query( 'CREATE DATABASE wordpress CHARACTER SET utf8mb4' );

define( 'WP_INSTALLING', true );
$_SERVER['HTTP_HOST'] = wp_host();
require $cfbe_folder . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/file.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';

function wp_host() {
	return preg_replace( '~^\w+://~', '', getenv( 'CFBE_TEST_URL' ) );
}

wp_install( 'A shop', 'admin', 'admin@shop.example', true, '', 'a password for tests' );
update_option( 'permalink_structure', '/%postname%/' );
update_option( 'fresh_site', 0 );
flush_rewrite_rules( false );

WP_Filesystem( array(), false, true );
$cfbe_unzipped = unzip_file( $cfbe_zip, WP_PLUGIN_DIR );
if ( is_wp_error( $cfbe_unzipped ) ) {
	throw new Exception( $cfbe_unzipped->get_error_message() );
}
