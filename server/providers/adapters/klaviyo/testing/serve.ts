import { serveDouble } from "../../../testing/serve_double.ts";
import { createKlaviyo } from "../adapter.ts";
import { createKlaviyoDouble } from "./double.ts";

export const KEY = "pk_klaviyo-key-nobody-may-read";
const WEBHOOK_SECRET = "a-system-webhook-secret";

export type ServedKlaviyo = Awaited<ReturnType<typeof serveKlaviyo>>;

/** Serves a double of Klaviyo with two lists: with double opt-in, and without. */
export async function serveKlaviyo() {
  const double = createKlaviyoDouble(KEY);
  const { account } = double;
  const lists = {
    double: account.addList("Newsletter", "double_opt_in"),
    single: account.addList("Buyers", "single_opt_in"),
  };
  const served = await serveDouble({
    kind: "klaviyo",
    path: "",
    apiKey: KEY,
    list: lists.double,
    mails: account.mails,
    double,
    create: (options) => createKlaviyo({ webhookSecret: () => WEBHOOK_SECRET, ...options }),
  });
  return { ...served, double, account, lists };
}
