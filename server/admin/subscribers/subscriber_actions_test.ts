import assert from "node:assert/strict";
import { zonedMomentText } from "../frame/dates.ts";
import type { ListStatus } from "../../../shared/outcomes.ts";
import { LIST } from "../../../dev/testing/harness.ts";
import { encryptQuery } from "../frame/encrypted_query.ts";
import { type AdminHarness, adminHarness } from "../../../dev/testing/admin_harness.ts";
import type { Role } from "../auth/capability.ts";

const ADA = "ada@example.com";
const DAY_MS = 24 * 60 * 60 * 1000;

async function withAda(settings = {}): Promise<AdminHarness> {
  const app = await adminHarness({ settings });
  await (await app.post({ email: ADA, consent: true })).body?.cancel();
  await app.work();
  return app;
}
const pathOf = async (app: AdminHarness) =>
  `/subscriber${await encryptQuery(app.services, [["email", ADA], ["list", LIST]])}`;
async function pageOf(app: AdminHarness, role: Role = "admin"): Promise<string> {
  // A session does not last a day.
  return (await (await app.signIn(role)).page(await pathOf(app))).html;
}
const withoutDialogs = (html: string) => html.replace(/<dialog[^]*?<\/dialog>/g, "");
const primariesOf = (html: string) =>
  [...withoutDialogs(html).matchAll(/<button[^>]*class="primary"[^>]*>([^<]*)/g)].map(([, text]) => text);
/** Returns whether the button is disabled, and what stands beside it. */
function actionOf(html: string, label: string): [disabled: boolean, note: string] {
  const [, tag, note] = new RegExp(
    `<li>((?:(?!<li>)[^])*?>${label}<[^]*?)<p class="help" id="\\w+-note">(.*?)</p>`,
  )
    .exec(withoutDialogs(html))!;
  const button = tag!.slice(tag!.lastIndexOf("<button"));
  return [/ disabled[ >=]/.test(button), note!.replace(/<[^>]*>/g, "")];
}
async function setListStatus(app: AdminHarness, status: ListStatus): Promise<void> {
  app.provider.put(LIST, ADA, status);
  await (await app.signIn()).send("cfbe_check_signup", { email: ADA, list: LIST });
  await app.work();
}
const minute = (at: number) => zonedMomentText(at, "UTC");

Deno.test("the one primary action fits the state of the signup", async () => {
  await using app = await withAda();
  assert.deepEqual(primariesOf(await pageOf(app)), ["Check now"], "the email was sent today");
  await app.clock.advance(DAY_MS);
  assert.deepEqual(primariesOf(await pageOf(app)), ["Resend confirmation"]);
  assert.deepEqual(primariesOf(await pageOf(app, "viewer")), []);
  await setListStatus(app, "unsubscribed");
  assert.deepEqual(primariesOf(await pageOf(app)), ["Check now"], "not to resubscribe them");
  await setListStatus(app, "active");
  assert.deepEqual(primariesOf(await pageOf(app)), ["Print proof of consent"]);
});

Deno.test("beside each action that is not possible stands why, and from when it is", async () => {
  await using app = await withAda();
  const sent = app.clock.now();
  const resend = async () => actionOf(await pageOf(app), "Resend confirmation");
  assert.deepEqual(await resend(), [
    true,
    `Sent ${minute(sent)}. Possible again from ${minute(sent + DAY_MS)}.`,
  ]);
  await app.clock.advance(DAY_MS);
  assert.match((await resend()).join(), /^false,A mailbox gets at most one resend per day/);
  app.provider.capabilities.resend = false;
  assert.deepEqual(await resend(), [true, "This provider cannot resend confirmation emails."]);
  app.provider.capabilities.resend = true;
  await setListStatus(app, "unsubscribed");
  assert.match((await resend()).join(), /^true,.*only while the signup is unconfirmed/);
  app.provider.capabilities.reactivation = false;
  assert.match(actionOf(await pageOf(app), "Resubscribe").join(), /^true,This provider cannot resubscribe/);
  await app.services.activation.deactivate();
  for (const label of ["Check now", "Resend confirmation", "Resubscribe"]) {
    assert.deepEqual(actionOf(await pageOf(app), label), [true, "cfbe is deactivated. Activate it first."]);
  }
  const readOnly = await pageOf(app, "viewer");
  assert.match(readOnly, /Only admins and support can check, resend, export and erase/);
  assert.doesNotMatch(withoutDialogs(readOnly), />(Check now|Resend confirmation|Export data|Erase)/);
});

Deno.test("a person's page exports their data and erases them, and then shows what was erased", async () => {
  await using app = await withAda();
  const admin = await app.signIn();
  const fields = { _page: await pathOf(app), email: ADA };
  const exported = await (await admin.send("cfbe_export_person", fields)).text();
  assert.match(exported, /Data about ada@example\.com/);
  assert.match(exported, /<h2>Timeline</, "with the page below it");
  const erased = await admin.send("cfbe_erase_person", { ...fields, "b:provider": "true" });
  const html = await erased.text();
  assert.equal(erased.status, 200);
  assert.match(html, /ada@example\.com has been erased/);
  assert.match(html, /What is kept, and why/);
  assert.equal(await app.record(ADA), null);
});

Deno.test("the proof of consent names the organization, and shows each consent text with its links in a table", async () => {
  const consentText = "I agree to the [terms](https://shop.example/terms). <b>Now</b>";
  await using app = await withAda({
    form: { consent: "optional", consentText },
    privacy: { organization: "Example & Sons Ltd." },
  });
  const html = await pageOf(app);
  const proof = html.slice(html.indexOf('id="proof"'));
  assert.match(proof, /<p class="issuer">Example &amp; Sons Ltd\.</);
  const table = /<table[^]*<\/table>/.exec(proof)![0];
  assert.match(table, /Agreed to:.*<a href="https:\/\/shop\.example\/terms" rel="noreferrer">terms<\/a>/);
  assert.match(table, /&lt;b>Now/);
  assert.match(table, /1 Jan 2025, \d\d:\d\d:\d\d UTC/);
  await using other = await withAda();
  assert.match(await pageOf(other), /<p class="issuer">localhost:8000</, "the host, without a name");
});
