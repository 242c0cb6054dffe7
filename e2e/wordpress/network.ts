/** Turns a test site into a network (multisite), and reads the emails that WordPress sends. */
import { quoted, type Site } from "./site.ts";

/** Makes the site the main site of a network that lets anyone register a user and a site. */
export async function makeNetwork(site: Site): Promise<void> {
  const { host } = new URL(site.url);
  await site.php(
    `require_once ABSPATH . 'wp-admin/includes/network.php';
    require_once ABSPATH . 'wp-admin/includes/upgrade.php';
    global $wpdb;
    foreach ( $wpdb->tables( 'ms_global' ) as $table => $name ) { $wpdb->$table = $name; }
    install_network();
    return populate_network( 1, ${quoted(host)}, 'admin@shop.example', 'A network', '/', false );`,
  );
  const config = `${site.folder}/wp-config.php`;
  const constants = `define( 'MULTISITE', true );
define( 'SUBDOMAIN_INSTALL', false );
define( 'DOMAIN_CURRENT_SITE', ${quoted(host)} );
define( 'PATH_CURRENT_SITE', '/' );
define( 'SITE_ID_CURRENT_SITE', 1 );
define( 'BLOG_ID_CURRENT_SITE', 1 );
`;
  const before = await Deno.readTextFile(config);
  await Deno.writeTextFile(
    config,
    before.replace("require_once ABSPATH", `${constants}require_once ABSPATH`),
  );
  await site.php("return update_site_option( 'registration', 'all' );");
}

/** Keeps the emails of WordPress in files instead of sending them. */
export async function keepEmails(site: Site): Promise<void> {
  await Deno.mkdir(`${site.folder}/emails`);
  await Deno.writeTextFile(
    `${site.folder}/wp-content/mu-plugins/keep_emails.php`,
    `<?php add_filter( 'pre_wp_mail', static function ( $result, $email ) {
      $file = ABSPATH . 'emails/' . $email['to'];
      file_put_contents( $file, $email['message'] . "\\n", FILE_APPEND );
      return true;
    }, 10, 2 );`,
  );
}

/** Returns the link that activates the account of an address. Debian's WordPress escapes it in one of its emails. */
export async function activationLink(site: Site, email: string): Promise<string> {
  const text = await Deno.readTextFile(`${site.folder}/emails/${email}`);
  return text.match(/https?:\/\/\S+wp-activate\.php\S*/)![0].replace("&#038;", "&");
}
