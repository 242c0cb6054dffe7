import assert from "node:assert/strict";
import { type AdminHarness, adminHarness } from "../../../dev/testing/admin_harness.ts";
import { pages } from "../page_registry.ts";

/** Actions whose effect cannot be taken back, or that stop something that works. */
const DANGEROUS = [
  "cfbe_cancel_job",
  "cfbe_deactivate",
  "cfbe_erase_person",
  "cfbe_end_other_sessions",
  "cfbe_remove_user",
  "cfbe_revoke_link",
  "cfbe_sign_out_user",
];

const STATES: Record<string, () => Promise<AdminHarness>> = {
  "with the default settings": () => adminHarness({ settings: {} }),
  "after a signup": async () => {
    const app = await adminHarness({ settings: { forms: { forms: [{ name: "footer" }] } } });
    await (await app.post({ email: "ada@example.com" })).body?.cancel();
    return app;
  },
  "while deactivated": async () => {
    const app = await adminHarness({ settings: { forms: { forms: [{ name: "footer" }] } } });
    await app.services.activation.deactivate();
    return app;
  },
};

/** Returns the opening tags of a page's buttons and links that look like buttons. Dialogs have a choice of their own. */
function buttonsOf(html: string): string[] {
  const page = html.replace(/<dialog[^]*?<\/dialog>/g, "");
  return [...page.matchAll(/<(?:button|a class="button)\b[^>]*>/g)].map(([tag]) => tag);
}

for (const [name, open] of Object.entries(STATES)) {
  Deno.test(`${name}, every page has at most one primary button`, async () => {
    await using app = await open();
    const admin = await app.signIn();
    for (const { path } of pages) {
      const primary = buttonsOf((await admin.page(path)).html).filter((tag) => /\bprimary\b/.test(tag));
      assert.ok(primary.length <= 1, `${path}: ${primary}`);
    }
  });
}

Deno.test("every button of an action that cannot be undone is marked as dangerous", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await app.signIn("viewer");
  const seen = new Set<string>();
  for (const { path } of pages) {
    const { html } = await admin.page(path);
    for (const [, form] of html.matchAll(/<form\b([^]*?)<\/form>/g)) {
      const action = /name="action" value="(\w+)"/.exec(form!)?.[1];
      if (!action || !DANGEROUS.includes(action)) continue;
      seen.add(action);
      assert.match(form!, /<button type="submit" class="danger\b/, `${action} on ${path}`);
    }
  }
  assert.ok(seen.size >= 3, [...seen].join());
});
