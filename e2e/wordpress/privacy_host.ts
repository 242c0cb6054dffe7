/** The tools of WordPress that export and erase a person's data. */
import assert from "node:assert/strict";
import { statusOf, waitForStatus } from "../visitors.ts";
import { setApiToken } from "./checkboxes.ts";
import { hostTest, sharedStage } from "./stage.ts";

const stage = sharedStage();

interface Item {
  group_id: string;
  item_id: string;
  data: { name: string; value: string }[];
}
interface Erased {
  items_removed: boolean;
  items_retained: boolean;
  messages: string[];
}

/** Stores a signup that waits, and a comment that awaits approval. */
const waitInWordPress = () =>
  stage().site.php(
    `cfbe_queue_signup( 'Ann@example.com', 'Send me news', '198.51.100.7', 'en_US' );
    cfbe_queue_signup( 'bob@example.com', 'Send me news', '198.51.100.8', 'en_US' );
    $id = wp_insert_comment( array( 'comment_post_ID' => 1, 'comment_author' => 'Ann', 'comment_author_email' => 'ann@example.com', 'comment_content' => 'Hi', 'comment_approved' => 0 ) );
    add_comment_meta( $id, '_cfbe_opt_in', array( 'text' => 'Comment news', 'ip' => '198.51.100.9', 'locale' => 'en_US' ) );`,
  );

const exportAnn = () =>
  stage().site.php<{ data: Item[] } | { errors: unknown }>(
    `$exporters = apply_filters( 'wp_privacy_personal_data_exporters', array() );
    return call_user_func( $exporters['cfbe']['callback'], 'ann@example.com', 1 );`,
  );

/** Runs every eraser in the order of WordPress. */
const eraseAnn = () =>
  stage().site.php<{ cfbe: Erased; left: number }>(
    `$results = array();
    foreach ( apply_filters( 'wp_privacy_personal_data_erasers', array() ) as $id => $eraser ) {
      $results[ $id ] = call_user_func( $eraser['callback'], 'ann@example.com', 1 );
    }
    global $wpdb;
    return array( 'cfbe' => $results['cfbe'], 'left' => (int) $wpdb->get_var( "SELECT
      ( SELECT COUNT(*) FROM $wpdb->commentmeta WHERE meta_value LIKE '%198.51.100%' ) +
      ( SELECT COUNT(*) FROM $wpdb->options WHERE option_value LIKE '%ann@example.com%' AND option_name LIKE 'cfbe%' )" ) );`,
  );

hostTest(
  "an export has what waits in WordPress and says who has the rest, and an erasure leaves no address and no IP",
  async () => {
    await waitInWordPress();
    const exported = await exportAnn() as { data: Item[] };
    const text = JSON.stringify(exported.data);
    assert.match(text, /Send me news/);
    assert.match(text, /198\.51\.100\.7/);
    assert.match(text, /Comment news.*198\.51\.100\.9/);
    assert.doesNotMatch(text, /bob@|198\.51\.100\.8/);
    assert.match(text, /Ask the owner of this site/);
    const { cfbe, left } = await eraseAnn();
    assert.deepEqual([cfbe.items_removed, cfbe.items_retained, left], [true, true, 0]);
    assert.match(cfbe.messages[0]!, /were not erased, because cfbe’s API token is missing/);
    assert.equal(
      await stage().site.php("return count( cfbe_waiting_signups() );"),
      1,
      "Bob's signup still waits",
    );
    assert.equal(await stage().site.phpErrors(), "");
  },
);

hostTest("with an API token, both include cfbe's own records", async () => {
  const { site, program, set } = stage();
  await setApiToken(site);
  await site.php("foreach ( cfbe_waiting_signups() as $option ) { delete_option( $option ); }");
  await site.php(
    "cfbe_queue_signup( 'ann@example.com', 'Send me news', '198.51.100.7', 'en_US' ); foreach ( cfbe_waiting_signups() as $option ) { cfbe_send_signup( $option ); }",
  );
  await waitForStatus(program, "ann@example.com", "pending");
  const { data } = await exportAnn() as { data: Item[] };
  assert.ok(data.some(({ item_id }) => /^cfbe-signups/.test(item_id)), JSON.stringify(data));
  assert.match(JSON.stringify(data), /198\.51\.100\.7/);

  await set({ address: "http://localhost:9" });
  assert.ok("errors" in await exportAnn(), "an export without cfbe's records fails");
  await set({ address: program.baseUrl });

  const { cfbe } = await eraseAnn();
  assert.equal(cfbe.items_removed, true);
  assert.match(cfbe.messages[0]!, /email provider .* keeps the address/);
  await assert.rejects(() => statusOf(program, "ann@example.com"));
  assert.equal(await site.phpErrors(), "");
});

hostTest("WooCommerce's export has the answer at the checkout, and its eraser keeps only that", async () => {
  const [props, meta] = await stage().site.php<[Record<string, string>, Record<string, string>]>(
    `return array( apply_filters( 'woocommerce_privacy_export_order_personal_data_props', array() ),
      apply_filters( 'woocommerce_privacy_remove_order_personal_data_meta', array() ) );`,
  );
  assert.deepEqual([Object.keys(props), Object.keys(meta)], [["cfbe_opt_in", "cfbe_opt_in_text"], [
    "_cfbe_session",
  ]]);
});
