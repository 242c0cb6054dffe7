import { adminHarness, type SignedIn } from "../../../dev/testing/admin_harness.ts";

/** The page with the results of a form's experiment. */
export const PAGE = "/experiment?form=footer";

/** The page of its variant B. */
export const PAGE_B = "/form-settings?form=footer&variant=b";

/** A form named `footer`, and an admin. */
export async function setUp() {
  const app = await adminHarness();
  const { settings } = app.services;
  await settings.save("forms", { forms: [{ name: "footer", heading: "News" }] });
  const admin = await app.signIn();
  const own = () => settings.current().forms.forms[0]!;
  return { app, admin, own };
}

/** Runs an action of the page, and returns the result's message. */
export async function run(
  admin: SignedIn,
  action: string,
  fields: Record<string, string> = {},
): Promise<string> {
  const response = await admin.send(`cfbe_${action}`, { form: "footer", ...fields }, {
    accept: "application/json",
  });
  return (await response.json()).message;
}

/** What the page sends for a variant B. */
export const B = {
  variant: "b",
  name: "Short",
  "n:weight": "3",
  "fields.heading": "Short",
  "o:fields.text": "",
  "o:fields.design.preset": "forest",
};

/** Starts an experiment with the variant B. */
export async function start(admin: SignedIn): Promise<void> {
  await run(admin, "create_experiment");
  await run(admin, "edit_variant", B);
  await run(admin, "start_experiment");
}
