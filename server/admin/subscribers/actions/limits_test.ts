import assert from "node:assert/strict";
import { LOCAL } from "../../auth/actor.ts";
import { runActionOf } from "../../frame/run_action.ts";
import { limitActions } from "./limits.ts";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";
import { type Harness, harness } from "../../../../dev/testing/harness.ts";

const named = (name: string) => limitActions.find((each) => each.name === name);

const IP = "192.0.2.1";

/** Returns the status of a signup. */
async function signUp(app: Harness, email: string, peer = IP): Promise<number> {
  const response = await app.post({ email }, { peer });
  await response.body?.cancel();
  return response.status;
}

Deno.test("an IPv6 address is forgotten with its /64, and an address with all spellings of its mailbox", async () => {
  await using app = await harness();
  const act = (input: Record<string, string>) =>
    runActionOf(named, app.services, LOCAL, "cfbe_forget_limits", input);
  await signUp(app, "ada@gmail.com", "2001:db8::1");
  const done = await act({ ip: "2001:DB8::ffff", email: "A.d.a+x@googlemail.com" });
  assert.equal(
    done.message,
    "Forgotten: 1 signup from the IP address and 1 signup of the mailbox.",
  );
  assert.match((await act({ ip: "2001:db8::1" })).message, /nothing to forget/);
});

Deno.test("only an admin can forget limits, by the button on the Privacy page, and the audit log shows how many requests", async () => {
  await using app = await adminHarness();
  for (let i = 0; i < 6; i++) await signUp(app, `p${i}@example.com`);
  const [admin, support] = [await app.signIn(), await app.signIn("support")];
  assert.equal((await support.send("cfbe_forget_limits", { ip: IP })).status, 403);
  assert.doesNotMatch((await support.page("/privacy")).html, /Forget the limits/);
  assert.equal(await signUp(app, "again@example.com"), 429);
  assert.match((await admin.page("/privacy")).html, /Forget the limits of my address/);
  assert.equal((await admin.send("cfbe_forget_limits", { "o:ip": "", "o:email": "" })).status, 422);
  const response = await admin.send("cfbe_forget_limits", { "o:ip": IP, "o:email": "", _page: "/privacy" });
  assert.equal(response.status, 303);
  assert.equal(await signUp(app, "again@example.com"), 200);
  assert.match((await admin.page("/audit")).html, /Forget rate limits/);
});
