/**
 * WordPress.org's own checks of plugins. No package provides them, so they run only if `CFBE_TEST_PLUGIN_CHECK` is the
 * folder of the plugin "Plugin Check", and `CFBE_TEST_WORDPRESS` that of a WordPress that it supports.
 */
import assert from "node:assert/strict";
import { run } from "../process.ts";
import { PLUGIN_CHECK } from "./folders.ts";
import { hostTest, sharedStage } from "./stage.ts";

if (PLUGIN_CHECK) {
  const stage = sharedStage();

  hostTest("Plugin Check finds no error and no warning in the plugin", async () => {
    const { site } = stage();
    await run("cp", ["-r", PLUGIN_CHECK!, `${site.folder}/wp-content/plugins/plugin-check`]);
    const findings = await site.php<string[]>(
      `require_once WP_PLUGIN_DIR . '/plugin-check/vendor/autoload.php';
      define( 'WP_PLUGIN_CHECK_VERSION', 'test' );
      define( 'WP_PLUGIN_CHECK_PLUGIN_DIR_PATH', WP_PLUGIN_DIR . '/plugin-check/' );
      define( 'WP_PLUGIN_CHECK_MAIN_FILE', WP_PLUGIN_DIR . '/plugin-check/plugin.php' );
      $checks = ( new WordPress\\Plugin_Check\\Checker\\Default_Check_Repository() )->get_checks( WordPress\\Plugin_Check\\Checker\\Check_Repository::TYPE_STATIC );
      $result = new WordPress\\Plugin_Check\\Checker\\Check_Result( new WordPress\\Plugin_Check\\Checker\\Check_Context( WP_PLUGIN_DIR . '/cfbe/cfbe.php' ) );
      $ran = 0;
      foreach ( $checks->to_map() as $check ) { $check->run( $result ); ++$ran; }
      $found = $ran > 10 ? array() : array( "only $ran checks" );
      foreach ( array( 'ERROR' => $result->get_errors(), 'WARNING' => $result->get_warnings() ) as $kind => $files ) {
        foreach ( $files as $file => $lines ) {
          foreach ( $lines as $line => $columns ) {
            foreach ( $columns as $messages ) {
              foreach ( $messages as $message ) { $found[] = "$kind $file:$line $message[code] $message[message]"; }
            }
          }
        }
      }
      return $found;`,
    );
    assert.deepEqual(findings, []);
  });
}
