/** Folder of the WordPress to test with; by default, the one that Debian's package installs. */
export const WORDPRESS = Deno.env.get("CFBE_TEST_WORDPRESS") ?? "/usr/share/wordpress";

/** Folder of the WooCommerce to test with; without one, a stand-in fires its hooks. */
export const WOOCOMMERCE = Deno.env.get("CFBE_TEST_WOOCOMMERCE");

/** Folder with the form plugins to test with; a stand-in fires the hooks of each one that is not there. */
export const PLUGINS = Deno.env.get("CFBE_TEST_PLUGINS");

/** Folder of WordPress.org's plugin "Plugin Check"; without one, its checks do not run. */
export const PLUGIN_CHECK = Deno.env.get("CFBE_TEST_PLUGIN_CHECK");
