import { serveDouble } from "../../../testing/serve_double.ts";
import { createMailchimp, type MailchimpOptions } from "../adapter.ts";
import { createMailchimpDouble } from "./double.ts";

export const KEY = "0123456789abcdef0123456789abcdef-us6";

export type ServedMailchimp = Awaited<ReturnType<typeof serveMailchimp>>;

/** Serves a double of Mailchimp with two audiences. */
export async function serveMailchimp() {
  const double = createMailchimpDouble(KEY);
  const { account } = double;
  const audiences = [account.newId(), account.newId()] as const;
  audiences.forEach((id, index) =>
    account.audiences.set(id, {
      id,
      name: `Audience ${index}`,
      members: new Map(),
      forgotten: new Set(),
      hooks: [],
      mergeFields: new Map(),
    })
  );
  /** The signing secrets in the settings, which tests may change. */
  const stored = { secrets: "" };
  const served = await serveDouble<Omit<MailchimpOptions, "signingSecrets">>({
    kind: "mailchimp",
    path: "/3.0",
    apiKey: KEY,
    list: audiences[0],
    mails: account.mails,
    double,
    create: (options) => createMailchimp({ signingSecrets: () => stored.secrets, ...options }),
  });
  return { ...served, double, account, audiences, stored };
}
