import { serveDouble } from "../../../testing/serve_double.ts";
import { createListmonk } from "../adapter.ts";
import { createListmonkDouble, TOKEN } from "./double.ts";

export type ServedListmonk = Awaited<ReturnType<typeof serveListmonk>>;

/** Serves a double of listmonk with a list with double opt-in, and a template. */
export async function serveListmonk() {
  const double = createListmonkDouble();
  const served = await serveDouble({
    kind: "listmonk",
    path: "/lists.example",
    apiKey: TOKEN,
    list: double.addList("News", "double"),
    template: double.addTemplate("Order", "tx"),
    mails: double.mails,
    double,
    create: ({ baseUrl, apiKey, ...options }) =>
      createListmonk({ baseUrl: () => baseUrl, token: apiKey, ...options }),
  });
  return { ...served, double };
}
