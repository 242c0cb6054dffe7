import { serveDouble } from "../../../testing/serve_double.ts";
import { createKit } from "../adapter.ts";
import { createKitDouble } from "./double.ts";

export const KEY = "kit_a-key-nobody-may-read";

export type ServedKit = Awaited<ReturnType<typeof serveKit>>;

/** Serves a double of Kit with two forms: with double opt-in, and without. */
export async function serveKit() {
  const double = createKitDouble(KEY);
  const { account } = double;
  const addForm = (name: string, doubleOptIn: boolean) => {
    const id = account.newId();
    account.forms.set(id, { name, doubleOptIn });
    return String(id);
  };
  const forms = [addForm("Newsletter", true), addForm("Buyers", false)] as const;
  /** The signing secret in the settings, which tests may change. */
  const stored = { secret: "" };
  const served = await serveDouble({
    kind: "kit",
    path: "/v4",
    apiKey: KEY,
    list: forms[0],
    mails: account.mails,
    double,
    create: (options) => createKit({ webhookSecret: () => stored.secret, ...options }),
  });
  return { ...served, double, account, forms, stored };
}
