import { serveDouble } from "../../../testing/serve_double.ts";
import { createButtondown } from "../adapter.ts";
import { createButtondownDouble } from "./double.ts";

const KEY = "buttondown-key-nobody-may-read";

export type ServedButtondown = Awaited<ReturnType<typeof serveButtondown>>;

/** Serves a double of Buttondown with two newsletters; the second has no double opt-in. */
export async function serveButtondown() {
  const double = createButtondownDouble(KEY);
  const own = double.newsletters[0]!;
  /** The signing key in the settings, which tests may change. */
  const stored = { secret: "" };
  const served = await serveDouble({
    kind: "buttondown",
    path: "/v1",
    apiKey: KEY,
    list: own.id,
    mails: double.mails,
    double,
    create: (options) => createButtondown({ webhookSecret: () => stored.secret, ...options }),
  });
  /** Changes a person's type in the newsletter with double opt-in. */
  const put = (email: string, type: string) => double.put(own, email, type);
  return { ...served, double, own, put, stored };
}
