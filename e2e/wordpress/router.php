<?php
// For PHP's built-in server: serves existing files, and passes everything else to WordPress, like its .htaccess.
$cfbe_root = $_SERVER['DOCUMENT_ROOT'];
$cfbe_path = (string) parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH );
if ( is_dir( $cfbe_root . $cfbe_path ) && is_file( $cfbe_root . $cfbe_path . '/index.php' ) && '/' !== $cfbe_path ) {
	return false;
}
if ( is_file( $cfbe_root . $cfbe_path ) ) {
	return false;
}
$_SERVER['SCRIPT_NAME'] = '/index.php';
require $cfbe_root . '/index.php';
