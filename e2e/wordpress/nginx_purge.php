<?php
// Deletes nginx's cached pages, as the plugin Nginx Helper does.
add_action(
	'rt_nginx_helper_purge_all',
	static function () {
		$pages = getenv( 'CFBE_TEST_PAGES' );
		$files = new RecursiveIteratorIterator( new RecursiveDirectoryIterator( $pages, FilesystemIterator::SKIP_DOTS ) );
		foreach ( $files as $file ) {
			unlink( $file->getPathname() );
		}
	}
);
