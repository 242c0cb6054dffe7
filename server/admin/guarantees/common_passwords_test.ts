/** Common passwords are refused for new passwords. Existing ones go on working. */
import assert from "node:assert/strict";
import { adminHarness, PASSWORD } from "../../../dev/testing/admin_harness.ts";
import { runAction } from "../action_table.ts";
import { LOCAL } from "../auth/actor.ts";
import { logIn, post } from "../accounts/testing/sign_in.ts";

const COMMON = "Password2026!";
const REFUSED =
  /Must not be a common password, because attackers try these first\. Combine several unrelated words\./;

Deno.test("a common password is refused wherever somebody chooses a new one, and the link or the form stays usable", async () => {
  await using app = await adminHarness();
  const set = { token: new URL((await app.services.admin.openSetUp())!).hash.slice(1), name: "ann" };
  const first = await post(app, "/admin/set-up", { ...set, password: COMMON });
  assert.equal(first.status, 422);
  assert.match(await first.text(), REFUSED);
  assert.equal((await post(app, "/admin/set-up", { ...set, password: PASSWORD })).status, 303);

  const admin = await app.signIn();
  await app.signIn("viewer");
  const { passwordLinks } = app.services.admin;
  const links = [
    ["/admin/invitation", await passwordLinks.invite({ name: "grace", role: "viewer", by: "ann" })],
    ["/admin/new-password", await passwordLinks.reset({ name: "the-viewer", by: "ann" })],
  ] as const;
  for (const [path, link] of links) {
    assert(typeof link === "object");
    const choose = (password: string) => post(app, path, { link: link.token, password, repeat: password });
    const response = await choose(COMMON);
    assert.equal(response.status, 422);
    assert.match(await response.text(), REFUSED);
    assert.equal((await choose("gravel onion lantern")).status, 303);
  }

  const changed = await admin.send("cfbe_change_password", {
    current: PASSWORD,
    password: COMMON,
    _page: "/account",
  });
  assert.equal(changed.status, 422);
  assert.match(await changed.text(), REFUSED);
});

Deno.test("a common password is refused on the command line and by API tokens, with the reason", async () => {
  await using app = await adminHarness();
  await app.signIn();
  for (
    const [action, input] of [
      ["cfbe_add_user", { name: "grace", role: "viewer", password: COMMON }],
      ["cfbe_set_password", { name: "the-admin", password: COMMON }],
    ] as const
  ) {
    const result = await runAction(app.services, LOCAL, action, input);
    assert(!result.ok);
    assert.equal(result.status, 422);
    assert.match(result.fields!["password"]!, REFUSED);
  }
});

Deno.test("a user whose password is a common one can still sign in", async () => {
  await using app = await adminHarness();
  await app.signIn();
  await app.services.admin.users.setPassword("the-admin", COMMON);
  assert.equal((await logIn(app, { password: COMMON })).status, 303);
});
