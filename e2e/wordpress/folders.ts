/** WordPress as Debian installs it, or another one to try the plugin on. */
export const WORDPRESS = Deno.env.get("CFBE_TEST_WORDPRESS") ?? "/usr/share/wordpress";

/** A WooCommerce to try the plugin with; without one, a stand-in fires its hooks. */
export const WOOCOMMERCE = Deno.env.get("CFBE_TEST_WOOCOMMERCE");
