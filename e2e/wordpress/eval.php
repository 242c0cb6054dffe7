<?php
// Runs PHP code in WordPress as an admin, and prints its result as JSON. Arguments: folder of WordPress, code.
list( , $cfbe_folder, $cfbe_code ) = $argv;
$_SERVER['HTTP_HOST']      = preg_replace( '~^\w+://~', '', getenv( 'CFBE_TEST_URL' ) );
$_SERVER['REQUEST_METHOD'] = 'GET';
define( 'WP_ADMIN', true );
require $cfbe_folder . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/admin.php';
wp_set_current_user( 1 );
// phpcs:ignore Squiz.PHP.Eval.Discouraged -- code from the tests.
echo "\n" . wp_json_encode( eval( $cfbe_code ) );
