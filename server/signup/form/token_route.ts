import type { Context } from "hono";
import { FORM_SOURCES, type FormToken } from "../../../shared/contract.ts";
import { ADMIN_PATH, type Config } from "../../config.ts";
import type { Keyring } from "../../keys/keyring.ts";
import type { Clock } from "../../deps.ts";
import type { SettingsStore } from "../../settings/store.ts";
import type { Counters } from "../../observe/counters.ts";
import { issueToken } from "../../keys/form_token.ts";

interface Deps {
  config: Pick<Config, "baseUrl">;
  keyring: Keyring;
  clock: Clock;
  settings: SettingsStore;
  counters: Counters;
}

/** `GET form-token` (contract 3.1). Its answer depends on no parameter. */
export function formTokenRoute(app: Deps) {
  const { keyring, clock, settings, counters } = app;
  return (c: Context) => {
    const form = c.req.query("form");
    // Who names none shows none: a script that signs up by itself.
    if (form && c.req.method === "GET" && !isPreview(app, c)) {
      counters.note("seen", viewedForm(settings.current().forms, form));
    }
    return c.json({ token: issueToken(keyring, clock.now()) } satisfies FormToken);
  };
}

/** Under what it is counted that a form was seen: anybody may write anything there, and only what exists counts. */
function viewedForm(
  { forms }: ReturnType<SettingsStore["current"]>["forms"],
  asked: string,
): string {
  const known = forms.find(({ name }) => name === asked)?.name;
  return known ?? FORM_SOURCES.find((source) => source === asked) ?? "-";
}

/** A form that the admin shows is seen by no visitor. Other sites' browsers tell their origin alone. */
function isPreview({ config: { baseUrl } }: Deps, c: Context): boolean {
  return c.req.header("referer")?.startsWith(`${baseUrl}${ADMIN_PATH}/`) ?? false;
}
