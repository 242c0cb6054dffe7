/** What the pages tell someone who helps subscribers. */
import assert from "node:assert/strict";
import { confirmationMarker } from "../../signup/delivery/confirmation_marker.ts";
import { LIST } from "../../../dev/testing/harness.ts";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { insertSampleRecords } from "../../subscribers/testing/sample_records.ts";
import { encryptQuery } from "../frame/encrypted_query.ts";
import { zonedMomentText } from "../frame/dates.ts";
import { readRow } from "../../platform/kv/key.ts";
import { signupKey } from "../../signup/record/row.ts";
import { manualCheckOf } from "./subscriber_check.tsx";
import { type AdminHarness, adminHarness } from "../../../dev/testing/admin_harness.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const ADA = "ada@example.com";
const pathOf = async (app: AdminHarness) =>
  `/subscriber${await encryptQuery(app.services, [["email", ADA], ["list", LIST]])}`;

async function signUp(app: AdminHarness): Promise<void> {
  await (await app.post({ email: ADA })).body?.cancel();
  await app.work();
}

Deno.test("during an outage, a person's page shows the failed attempt, its reason, and when the next one is", async () => {
  await using app = await adminHarness();
  app.provider.nextResults.subscribe.push(stubTrouble());
  await signUp(app);
  const support = await app.signIn("support");
  const { html } = await support.page(await pathOf(app));
  assert.match(html, /<li class="bad">[^]*?<strong>Attempt 1 failed<\/strong> <span>HTTP 503<\/span>/);
  assert.match(html, /The last attempt failed\. Next attempt: <time dateTime="[^"]+"/i);
  assert.match(html, /The signup has not reached the provider yet\./);
  assert.doesNotMatch(html, /Sent to provider/);
});

Deno.test("the facts of an unconfirmed signup say when its confirmation email was sent, and when it can be resent", async () => {
  await using app = await adminHarness();
  const sent = app.clock.now();
  await signUp(app);
  const emailFact = async () => {
    const { html } = await (await app.signIn("support")).page(await pathOf(app));
    return /<dt>Confirmation email<\/dt><dd>(.*?)<\/dd>/s.exec(html)?.[1]?.replaceAll(/<[^>]*>/g, "");
  };
  assert.equal(
    await emailFact(),
    `Sent ${zonedMomentText(sent, "UTC")} by the provider, as far as cfbe knows` +
      `It can be resent from ${
        zonedMomentText(sent + DAY_MS, "UTC")
      }. Until then, ask them to look in their spam folder.`,
  );
  await app.clock.advance(3 * DAY_MS);
  await app.kv.delete(confirmationMarker(app.services.keyring, ADA));
  assert.match(
    (await emailFact())!,
    new RegExp(`^Sent ${zonedMomentText(sent, "UTC")} .*It can be resent now\\.$`),
  );
  app.provider.put(LIST, ADA, "active");
  const support = await app.signIn("support");
  await support.send("cfbe_check_signup", { email: ADA, list: LIST });
  await app.work();
  assert.equal(await emailFact(), undefined);
});

Deno.test("a search for the start of an address that finds nothing says what else to search for, and offers no search that was just made", async () => {
  await using app = await adminHarness();
  await signUp(app);
  const support = await app.signIn("support");
  for (const typed of ["lovelace", "lovelace*"]) {
    const { html } = await support.search("/subscribers", { q: typed });
    assert.match(html, /No matches/);
    assert.doesNotMatch(html, /Search for addresses that start with/, typed);
    assert.match(html, /finds the start of an address, or its domain: @example\.com/);
    assert.match(html, /filter by form and by the day/);
  }
  const { html } = await support.search("/subscribers", { q: "ada@example.co" });
  assert.match(html, /Search for addresses that start with ada@example\.co</);
  const part = await support.search("/subscribers", { q: "*lovelace*" });
  assert.doesNotMatch(part.html, /Search for addresses/);
});

Deno.test("a search that finds nothing shows similar addresses, with the other filters, and a link that finds parts of addresses", async () => {
  await using app = await adminHarness();
  await signUp(app);
  const support = await app.signIn("support");
  const search = async (fields: Record<string, string>) => {
    const { html } = await support.search("/subscribers", fields);
    const similar = html.includes(">Similar addresses<");
    return {
      html,
      similar: similar && html.includes(`>${ADA}<`),
      found: !similar && html.includes(`>${ADA}<`),
    };
  };
  for (const q of ["ada@exmaple.com", "adaa@example.com", "example", "@exampel.com"]) {
    const { html, similar } = await search({ q });
    assert.ok(similar, q);
    assert.match(html, /No matches/);
    assert.match(html, /data-results="No results, 1 similar address"/);
    assert.doesNotMatch(html, /too many signups to compare/);
    assert.equal((await search({ q, status: "failed" })).similar, false);
  }
  assert.ok((await search({ q: "*example*" })).found);
  const { html } = await search({ q: "example" });
  const [, part] = /<a href="\/admin([^"]*)">Search for addresses that contain example</.exec(html)!;
  const found = await support.page(part!.replaceAll("&amp;", "&"));
  assert.match(found.html, /Email address contains: example/);
  assert.ok(found.html.includes(`>${ADA}<`));
});

Deno.test("similar addresses that a page shows count as viewed, and the page says if it compared only some signups", async () => {
  await using app = await adminHarness();
  await insertSampleRecords(app.kv, 2_200);
  const support = await app.signIn("support");
  const { html } = await support.search("/subscribers", { q: "rare" });
  assert.match(html, />Similar addresses<.*There are too many signups to compare all of them/s);
  const { rows } = await app.services.admin.audit.list();
  assert.equal(rows.find(({ action }) => action === "cfbe_read_subscribers")?.count, 10);
  const none = await support.search("/subscribers", { q: "zzzzzz" });
  assert.match(none.html, /No similar address was found\. There are too many signups/);
});

Deno.test("an erasure only in cfbe says before and after that the address stays at the provider", async () => {
  await using app = await adminHarness();
  await signUp(app);
  const support = await app.signIn("support");
  const path = await pathOf(app);
  assert.match(
    (await support.page(path)).html,
    /Otherwise the person stays on them, and can still get emails/,
  );
  assert.match(
    (await support.page(path)).html,
    /Deletes everything about this person in cfbe, on all lists\./,
  );
  const erased = await support.send("cfbe_erase_person", { _page: path, email: ADA });
  assert.match(await erased.text(), /The address was not erased at the provider\./);
  const again = await support.send("cfbe_erase_person", { email: ADA }, { accept: "application/json" });
  assert.match(await again.text(), /It was not erased at the provider\./);
});

Deno.test("the forms that erase a person also erase at the provider unless that is switched off, and say so where it can't", async () => {
  await using app = await adminHarness();
  await signUp(app);
  const support = await app.signIn("support");
  const preselected = /<input type="checkbox" role="switch"[^>]*name="b:provider"[^>]* checked/;
  const pages = [await pathOf(app), "/requests"];
  for (const page of pages) assert.match((await support.page(page)).html, preselected, page);
  app.provider.capabilities.erasure = false;
  for (const page of pages) {
    const { html } = await support.page(page);
    assert.doesNotMatch(html, /b:provider/, page);
    assert.match(html, /At the sandbox, cfbe can't erase: delete the address there yourself/, page);
  }
});

Deno.test("after Check now, the page waits at most a minute for the result, and then says when it was checked", async () => {
  await using app = await adminHarness();
  await signUp(app);
  const support = await app.signIn("support");
  const path = await pathOf(app);
  assert.doesNotMatch((await support.page(path)).html, /data-watch|Checked by hand/);
  await support.send("cfbe_check_signup", { email: ADA, list: LIST });
  const checking = (await support.page(path)).html;
  assert.match(checking, /id="facts" data-live="[^"]*" data-watch/);
  assert.match(checking, /Checking at the provider…\s*<noscript>Reload this page in a moment\./);
  const waited = await readRow(app.kv, signupKey(ADA, LIST));
  const at = waited!.history!.at(-1)!.at;
  assert.equal((await manualCheckOf(app.kv, waited!, at + 60_000))?.state, "delayed");
  await app.work();
  const checked = (await support.page(path)).html;
  assert.doesNotMatch(checked, /data-watch/);
  assert.match(checked, /data-announce="Checked\. Status: pending\. List status: pending\."/);
  assert.match(checked, /Checked by hand: <time/);
});

Deno.test("after a resubscription, the message asks to reload the page", async () => {
  await using app = await adminHarness();
  await signUp(app);
  const support = await app.signIn("support");
  app.provider.put(LIST, ADA, "unsubscribed");
  await support.send("cfbe_check_signup", { email: ADA, list: LIST });
  await app.work();
  const fields = { email: ADA, list: LIST, note: "by phone" };
  const response = await support.send("cfbe_allow_again", fields, { accept: "application/json" });
  assert.match(await response.text(), /Resubscription queued\. Reload this page in a moment\./);
});

Deno.test("the Data requests page says to a role that may not use it that it can't", async () => {
  await using app = await adminHarness();
  const said = /Your role cannot export or erase data\./;
  assert.match((await (await app.signIn("viewer")).page("/requests")).html, said);
  assert.doesNotMatch((await (await app.signIn("support")).page("/requests")).html, said);
});

Deno.test("the export for the person names lists, and the JSON keeps their IDs", async () => {
  await using app = await adminHarness({
    settings: { general: { knownLists: [{ id: LIST, name: "Monthly letter", doubleOptIn: true }] } },
  });
  await signUp(app);
  const support = await app.signIn("support");
  const fields = { _page: "/requests", email: ADA };
  const html = await (await support.send("cfbe_export_person", fields)).text();
  assert.match(html, /List:<\/span> Monthly letter/);
  assert.ok(html.includes(`&quot;list&quot;: &quot;${LIST}&quot;`));
});
