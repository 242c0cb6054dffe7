import { serveDouble } from "../../../testing/serve_double.ts";
import { createMailerlite } from "../adapter.ts";
import { createMailerliteDouble } from "./double.ts";

export const TOKEN = "mailerlite-token-nobody-may-read";

export type ServedMailerlite = Awaited<ReturnType<typeof serveMailerlite>>;

/** Serves a double of MailerLite with two groups. */
export async function serveMailerlite() {
  const double = createMailerliteDouble(TOKEN);
  const { account } = double;
  const groups = [account.newId(), account.newId()] as const;
  account.groups.set(groups[0], "Newsletter").set(groups[1], "Buyers");
  /** The signing secret in the settings, which tests may change. */
  const stored = { secret: "" };
  const served = await serveDouble({
    kind: "mailerlite",
    path: "/api",
    apiKey: TOKEN,
    list: groups[0],
    mails: account.mails,
    double,
    create: (options) => createMailerlite({ webhookSecret: () => stored.secret, ...options }),
  });
  return { ...served, double, account, groups, stored };
}
