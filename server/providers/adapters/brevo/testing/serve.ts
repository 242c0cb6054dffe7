import { serveDouble } from "../../../testing/serve_double.ts";
import { type BrevoOptions, createBrevo } from "../adapter.ts";
import { OPT_IN_TEMPLATE, OTHER_TEMPLATE } from "./account.ts";
import { createBrevoDouble } from "./double.ts";

const KEY = "xkeysib-a-key-of-the-double";

export type ServedBrevo = Awaited<ReturnType<typeof serveBrevo>>;

/** Serves a double of Brevo with one list. */
export async function serveBrevo({ pageMax = 500 } = {}) {
  const double = createBrevoDouble(KEY, pageMax);
  const { account } = double;
  const thanksUrl = "https://example.com/welcome";
  const served = await serveDouble<Partial<BrevoOptions>>({
    kind: "brevo",
    path: "/v3",
    apiKey: KEY,
    list: account.addList("News"),
    template: String(OTHER_TEMPLATE),
    settings: { brevoTemplate: String(OPT_IN_TEMPLATE), brevoThanksUrl: thanksUrl },
    mails: account.mails,
    double,
    create: (options) =>
      createBrevo({ template: () => String(OPT_IN_TEMPLATE), thanksUrl: () => thanksUrl, ...options }),
  });
  return { ...served, double, account };
}
