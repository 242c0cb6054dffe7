<?php
/**
 * Plugin Name:       cfbe: newsletter signup
 * Description:       Signup forms, popup and newsletter checkbox at checkout from your cfbe server, on fully cached pages.
 * Version:           0.1.0
 * Requires at least: 6.0
 * Requires PHP:      7.4
 * Author:            The cfbe authors
 * License:           GPL-2.0-or-later
 * License URI:       https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain:       cfbe
 * Domain Path:       /languages
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

define( 'CFBE_PLUGIN_VERSION', '0.1.0' );
define( 'CFBE_PLUGIN_FILE', __FILE__ );

require_once __DIR__ . '/includes/languages.php';
require_once __DIR__ . '/includes/options.php';
require_once __DIR__ . '/includes/connection.php';
require_once __DIR__ . '/includes/signing.php';
require_once __DIR__ . '/includes/script.php';
require_once __DIR__ . '/includes/form.php';
require_once __DIR__ . '/includes/block.php';
require_once __DIR__ . '/includes/purge.php';
require_once __DIR__ . '/includes/abilities.php';
require_once __DIR__ . '/includes/woocommerce.php';
require_once __DIR__ . '/includes/api-client.php';
require_once __DIR__ . '/includes/checkboxes.php';
require_once __DIR__ . '/includes/signup-queue.php';
require_once __DIR__ . '/includes/findings.php';

if ( is_admin() ) {
	require_once __DIR__ . '/includes/connection-check.php';
	require_once __DIR__ . '/includes/settings-page.php';
	require_once __DIR__ . '/includes/settings-fields.php';
	require_once __DIR__ . '/includes/connect.php';
	require_once __DIR__ . '/includes/checkbox-fields.php';
	require_once __DIR__ . '/includes/privacy.php';
}

// Cached pages contain forms, which no longer work without the plugin.
register_deactivation_hook( __FILE__, 'cfbe_purge_page_caches' );

register_deactivation_hook( __FILE__, 'cfbe_cancel_signups' );
register_activation_hook( __FILE__, 'cfbe_resume_signups' );
