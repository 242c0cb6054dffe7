import assert from "node:assert/strict";
import { actions } from "../action_table.ts";
import { LIST } from "../../../dev/testing/harness.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import { ROLE_CAPABILITIES } from "../auth/capability.ts";

const FOR_PEOPLE = [
  "cfbe_allow_again",
  "cfbe_cancel_bulk",
  "cfbe_check_signup",
  "cfbe_erase_people",
  "cfbe_erase_person",
  "cfbe_export_person",
  "cfbe_resend_confirmation",
  "cfbe_resend_confirmations",
  "cfbe_retry_job",
  "cfbe_review_bulk",
];

Deno.test("the role support may run the actions for people, and otherwise only those on its own account", () => {
  const allowed = actions.filter(({ capability }) => ROLE_CAPABILITIES.support.includes(capability));
  const own = actions.filter(({ capability }) => capability === "view");
  assert.deepEqual(
    allowed.filter((action) => !own.includes(action)).map(({ name }) => name).sort(),
    FOR_PEOPLE,
  );
});

Deno.test("support resends, exports and erases without being an admin, and changes neither settings nor users", async () => {
  await using app = await adminHarness();
  const [email, list] = ["ada@example.com", LIST];
  await (await app.post({ email })).body?.cancel();
  await app.work();
  const support = await app.signIn("support");
  const { html } = await support.page("/overview");
  assert.match(html, /the-support <small>support<\/small>/);
  const statusOf = async (action: string, fields: Record<string, string>) => {
    const response = await support.send(action, fields, { accept: "application/json" });
    await response.body?.cancel();
    return response.status;
  };
  assert.equal(await statusOf("cfbe_check_signup", { email, list }), 200);
  assert.equal(await statusOf("cfbe_export_person", { email }), 200);
  assert.equal(await statusOf("cfbe_erase_person", { email }), 200);
  for (
    const [action, fields] of Object.entries({
      cfbe_save_general: {},
      cfbe_add_user: { name: "eve", role: "support", password: "long enough for me" },
      cfbe_new_webhook_secret: {},
      cfbe_deactivate: {},
    })
  ) assert.equal(await statusOf(action, fields), 403, action);
});
