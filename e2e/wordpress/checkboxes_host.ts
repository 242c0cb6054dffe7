/** The newsletter checkbox in WordPress's own forms, and how its signups reach the server. */
import assert from "node:assert/strict";
import { confirm, statusOf, visit, waitForStatus } from "../visitors.ts";
import { runCron, setApiToken, TEXT, waitingSignups } from "./checkboxes.ts";
import { logIn } from "./log_in.ts";
import type { Site } from "./site.ts";
import { hostTest, sharedStage } from "./stage.ts";

const stage = sharedStage();
Deno.test.beforeAll(() => setApiToken(stage().site));

/** Turns checkboxes on in the given form systems. */
const turnOn = (...ids: string[]) =>
  stage().site.php(
    `return update_option( 'cfbe_settings', array_merge( cfbe_settings(), array( 'checkboxes' => array_fill_keys(
      ${php(ids)}, array( 'on' => true, 'text' => ${php(TEXT)} ) ) ) ) );`,
  );

const php = (value: unknown) => `json_decode( '${JSON.stringify(value).replaceAll("'", "\\'")}', true )`;

/** Publishes a post that anyone can comment on, and returns its URL. */
const publishPost = (site: Site) =>
  site.php<string>(
    `update_option( 'comment_previously_approved', 1 );
    return get_permalink( wp_insert_post( array( 'post_status' => 'publish', 'post_title' => uniqid( 'post ' ),
      'post_content' => 'Text', 'comment_status' => 'open' ) ) );`,
  );

const approveAll = (site: Site) =>
  site.php(
    "foreach ( get_comments( array( 'status' => 'hold' ) ) as $c ) { wp_set_comment_status( $c->comment_ID, 'approve' ); }",
  );

hostTest(
  "a commenter who ticks the box signs up once the comment is approved, with the text that a cached page showed",
  async () => {
    const { program, site, browser } = stage();
    await turnOn("comments");
    const url = await publishPost(site);
    await (await fetch(url)).text();
    const { page, headers } = await visit(browser, url);
    assert.equal(headers["x-cache"], "HIT");
    const box = page.getByRole("checkbox", { name: TEXT });
    assert.equal(await box.isChecked(), false);
    await site.php(
      "return update_option( 'cfbe_settings', array_replace_recursive( cfbe_settings(), array( 'checkboxes' => array( 'comments' => array( 'text' => 'Another text' ) ) ) ) );",
    );
    await box.check();
    await page.locator("#comment").fill("A comment");
    await page.locator("#author").fill("Ann");
    await page.locator("#email").fill("ann@example.com");
    await page.locator("#submit").click();
    await page.getByText("awaiting moderation").first().waitFor();
    assert.equal(await waitingSignups(site), 0);
    await approveAll(site);
    assert.equal(await waitingSignups(site), 1);
    await runCron(site);
    await waitForStatus(program, "ann@example.com", "pending");
    const { record, consents: [consent] } = await statusOf(program, "ann@example.com");
    assert.equal(record.source, "integration");
    const { given, text, ip, locale, origin } = consent!;
    assert.deepEqual([given, text, ip, locale, origin], [true, TEXT, "127.0.0.1", "en", site.url]);
    await confirm(program, "ann@example.com");
    await waitForStatus(program, "ann@example.com", "active");
    assert.equal(await waitingSignups(site), 0);
    assert.equal(await site.phpErrors(), "");
  },
);

hostTest("spam, a forged value and an array sign nobody up, and the comment is stored as usual", async () => {
  const { site } = stage();
  await turnOn("comments");
  const post = await publishPost(site);
  const results = await site.php<[number, number][]>(
    `$results = array();
    $valid = preg_match( '/value="([^"]+)"/', apply_filters( 'comment_form_submit_field', '', array() ), $m ) ? $m[1] : '';
    $cases = array( array( 'cfbe_signup' => $valid, 'approved' => 'spam' ), array( 'cfbe_signup' => '1' ),
      array( 'cfbe_signup' => cfbe_base64url( 'Other text' ) . '.' . explode( '.', $valid )[1] ), array( 'cfbe_signup' => array( $valid ) ),
      array(), array( 'cfbe_signup' => $valid ) );
    foreach ( $cases as $i => $case ) {
      $_POST = array_diff_key( $case, array( 'approved' => 1 ) );
      $approve = static function () use ( $case ) { return $case['approved'] ?? 1; };
      add_filter( 'pre_comment_approved', $approve );
      $id = wp_new_comment( array( 'comment_post_ID' => url_to_postid( ${
      php(post)
    } ), 'comment_author' => 'Ann',
        'comment_author_email' => "case$i@example.com", 'comment_author_url' => '', 'comment_content' => "Case $i", 'comment_type' => '' ), true );
      remove_filter( 'pre_comment_approved', $approve );
      $results[] = array( is_wp_error( $id ) ? $id->get_error_message() : 'stored', count( cfbe_waiting_signups() ) );
    }
    cfbe_cancel_signups();
    array_map( 'delete_option', cfbe_waiting_signups() );
    return $results;`,
  );
  assert.deepEqual(results, [...Array.from({ length: 5 }, () => ["stored", 0]), ["stored", 1]]);
});

hostTest(
  "a commenter whose address has an apostrophe or an ampersand signs up with that address, whether or not the comment awaits approval",
  async () => {
    const { site } = stage();
    await turnOn("comments");
    const post = await publishPost(site);
    const emails = await site.php<string[]>(
      `preg_match( '/value="([^"]+)"/', apply_filters( 'comment_form_submit_field', '', array() ), $m );
      $_POST = array( 'cfbe_signup' => $m[1] );
      foreach ( array( 0, 1 ) as $approved ) {
        $approve = static function () use ( $approved ) { return $approved; };
        add_filter( 'pre_comment_approved', $approve );
        $id = wp_new_comment( wp_slash( array( 'comment_post_ID' => url_to_postid( ${php(post)} ),
          'comment_author' => 'Miles', 'comment_author_email' => "o'brien&son$approved@example.com",
          'comment_author_url' => '', 'comment_content' => "Comment $approved", 'comment_type' => '' ) ), true );
        remove_filter( 'pre_comment_approved', $approve );
        wp_set_comment_status( $id, 'approve' );
      }
      $emails = array_column( array_column( array_map( 'get_option', cfbe_waiting_signups() ), 'signup' ), 'email' );
      cfbe_cancel_signups();
      array_map( 'delete_option', cfbe_waiting_signups() );
      return $emails;`,
    );
    assert.deepEqual(emails.toSorted(), ["o'brien&son0@example.com", "o'brien&son1@example.com"]);
  },
);

hostTest("someone who registers and ticks the box signs up", async () => {
  const { program, site, browser } = stage();
  await site.php("return update_option( 'users_can_register', 1 );");
  await turnOn("registration");
  const { page } = await visit(browser, `${site.url}/wp-login.php?action=register`);
  await page.getByLabel("Username").fill("cleo");
  await page.getByLabel("Email", { exact: true }).fill("not-an-address@");
  await page.getByRole("checkbox", { name: TEXT }).check();
  await page.evaluate(() => document.querySelector("form")!.noValidate = true);
  await page.getByRole("button", { name: "Register" }).click();
  await page.locator("#login_error").waitFor();
  assert.ok(await page.getByRole("checkbox", { name: TEXT }).isChecked(), "stays ticked after an error");
  await page.getByLabel("Email", { exact: true }).fill("cleo@example.com");
  await page.getByRole("button", { name: "Register" }).click();
  await page.getByText("Registration complete").waitFor();
  await runCron(site);
  await waitForStatus(program, "cleo@example.com", "pending");
  await site.php(
    "return wp_insert_user( array( 'user_login' => 'by-admin', 'user_email' => 'dan@example.com', 'user_pass' => 'x' ) );",
  );
  assert.equal(await waitingSignups(site), 0);
});

hostTest("while cfbe is down, a signup waits, and is sent once cfbe is back", async () => {
  const { program, site, set } = stage();
  await set({ address: "http://localhost:9" });
  await site.php("return cfbe_queue_signup( 'eve@example.com', 'Text', '', 'de_DE' );");
  await runCron(site);
  assert.equal(await waitingSignups(site), 1);
  await set({ address: program.baseUrl });
  await site.php("foreach ( cfbe_waiting_signups() as $option ) { cfbe_send_signup( $option ); }");
  await waitForStatus(program, "eve@example.com", "pending");
  assert.equal((await statusOf(program, "eve@example.com")).consents[0]!.locale, "de");
  assert.deepEqual(
    await site.php(
      "return array( count( cfbe_waiting_signups() ), wp_next_scheduled( 'cfbe_send_signup' ), get_option( CFBE_SIGNUP_FAILURES ) );",
    ),
    [0, false, false],
  );
});

hostTest(
  "a signup that a dying process stored but did not schedule is sent by the hourly check",
  async () => {
    const { program, site } = stage();
    const scheduled = await site.php<[boolean, number, boolean]>(
      `cfbe_queue_signup( 'fay@example.com', 'Text', '', 'en_US' );
    wp_unschedule_hook( 'cfbe_send_signup' );
    $before = wp_next_scheduled( 'cfbe_check_signups' );
    wp_clear_scheduled_hook( 'cfbe_check_signups' );
    wp_schedule_event( time() - 1, 'hourly', 'cfbe_check_signups' );
    return array( $before > time(), count( cfbe_waiting_signups() ), false !== wp_next_scheduled( 'cfbe_send_signup' ) );`,
    );
    assert.deepEqual(scheduled, [true, 1, false]);
    await runCron(site);
    await runCron(site);
    await waitForStatus(program, "fay@example.com", "pending");
    const attempts = await site.php<number>(
      `cfbe_queue_signup( 'fay@example.com', 'Text', '', 'en_US' );
    do_action( 'cfbe_check_signups' );
    do_action( 'cfbe_check_signups' );
    $events = array_column( _get_cron_array(), 'cfbe_send_signup' );
    return count( $events );`,
    );
    assert.equal(attempts, 1, "one that is scheduled already is not scheduled again");
    await runCron(site);
  },
);

hostTest(
  "a signup is given up after the last attempt, or at once if cfbe rejects it, and the admin sees the reason",
  async () => {
    const { program, site, set } = stage();
    await set({ address: "http://localhost:9" });
    const waiting = await site.php<boolean[]>(
      `cfbe_queue_signup( 'gone@example.com', 'Text', '', 'en_US' );
      list( $option ) = cfbe_waiting_signups();
      $waits = array();
      foreach ( CFBE_SIGNUP_DELAYS as $delay ) { cfbe_send_signup( $option ); $waits[] = count( cfbe_waiting_signups() ); }
      return $waits;`,
    );
    assert.deepEqual(waiting, [1, 1, 1, 1, 1, 1, 1, 1, 0]);
    const failures = () =>
      site.php<{ count: number; reason: string }>("return get_option( CFBE_SIGNUP_FAILURES );");
    assert.match((await failures()).reason, /Could not reach/);

    await set({ address: program.baseUrl });
    await site.php("cfbe_queue_signup( 'far@example.com', str_repeat( 'x', 2001 ), '', 'en_US' );");
    await runCron(site);
    assert.equal(await waitingSignups(site), 0);
    const { count, reason } = await failures();
    assert.deepEqual([count, reason], [2, "cfbe rejected these fields: consentText."]);
    const page = await logIn(stage());
    await page.goto(`${site.url}/wp-admin/options-general.php?page=cfbe`);
    await page.getByRole("link", { name: "Check connection" }).click();
    await page.getByText("Signups from checkboxes that could not be sent to cfbe: 2").first().waitFor();
    await site.php("return delete_option( CFBE_SIGNUP_FAILURES );");
  },
);

hostTest("an error in the checkbox breaks no form", async () => {
  const { site } = stage();
  await turnOn("comments", "registration");
  const [field, stored] = await site.php<[string, number]>(
    `add_filter( 'cfbe_show_checkbox', static function () { throw new Error( 'broken' ); } );
    add_filter( 'cfbe_client_ip', static function () { throw new Error( 'broken' ); } );
    $field = apply_filters( 'comment_form_submit_field', '<button>', array() );
    $_POST['cfbe_signup'] = cfbe_base64url( 'Text' ) . '.' . wp_hash( 'cfbe_checkbox Text' );
    do_action( 'comment_post', 1, 1, array( 'comment_author_email' => 'ann@example.com' ) );
    return array( $field, count( cfbe_waiting_signups() ) );`,
  );
  assert.deepEqual([field, stored], ["<button>", 0]);
  assert.match(await site.phpErrors(), /the newsletter checkbox of comments failed: broken/);
});

hostTest(
  "the settings page offers active form systems only, and keeps the settings of the others",
  async () => {
    const { site } = stage();
    await site.php("return update_option( 'users_can_register', 0 );");
    await turnOn("registration");
    const page = await logIn(stage());
    await page.goto(`${site.url}/wp-admin/options-general.php?page=cfbe`);
    const labels = await page.locator("[name*='[checkboxes]'][type=text]").evaluateAll((inputs) =>
      inputs.map((input) => input.getAttribute("aria-label"))
    );
    assert.deepEqual(labels, ["Text of the checkbox: Comments"]);
    await page.getByLabel("Show the checkbox with this text:").check();
    await page.getByRole("button", { name: "Save Changes" }).click();
    await page.locator(".settings-error").first().waitFor();
    const { checkboxes } = await site.php<{ checkboxes: Record<string, unknown> }>("return cfbe_settings();");
    assert.deepEqual(checkboxes, {
      registration: { on: true, text: TEXT },
      comments: { on: true, text: "Send me the newsletter by email. I can unsubscribe at any time." },
    });
  },
);
