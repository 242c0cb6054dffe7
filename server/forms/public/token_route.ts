import type { Context } from "hono";
import { FORM_SOURCES, type FormToken } from "../../../shared/contract.ts";
import { ADMIN_PATH, type Config } from "../../platform/config/config.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import type { Clock, Random } from "../../platform/deps.ts";
import type { NoteVisitor } from "../../platform/http/visitor/note_visitor.ts";
import { isSandbox } from "../../settings/store/provider.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import type { Counters } from "../../platform/observe/counters.ts";
import { issueToken } from "../../platform/keys/form_token.ts";
import type { AttackMode } from "../../platform/attack/attack_mode.ts";
import { createChallenge } from "../../platform/attack/challenge.ts";
import { TEST_FORM } from "./test_form.ts";

interface Deps {
  config: Pick<Config, "baseUrl">;
  keyring: Keyring;
  clock: Clock;
  settings: SettingsStore;
  counters: Counters;
  noteVisitor: NoteVisitor;
  random: Random;
  attackMode: Pick<AttackMode, "current">;
}

/** Handles `GET form-token` (contract 3.1). The token does not depend on the parameter `form`, which counts a view and a visitor.
 * In attack mode, a challenge comes with it. */
export function formTokenRoute(app: Deps) {
  const { keyring, clock, settings, counters, noteVisitor, attackMode } = app;
  /** Tokens of the same millisecond are the same. */
  let latest = { at: NaN, token: "" };
  function tokenAt(now: number): string {
    if (latest.at !== now) latest = { at: now, token: issueToken(keyring, now) };
    return latest.token;
  }
  return (c: Context) => {
    const form = c.req.query("form");
    // A script that signs up without a form sends no `form`.
    if (form && c.req.method === "GET" && !isOn(ADMIN_PATH, app, c)) {
      noteVisitor(c);
      const current = settings.current();
      const isDemo = isSandbox(current) && isOn("/demo", app, c);
      counters.note("seen", isDemo ? TEST_FORM : viewedForm(current.forms, form));
    }
    const now = clock.now();
    const token = tokenAt(now);
    const body: FormToken = attackMode.current()
      ? { token, challenge: createChallenge(app, token, now) }
      : { token };
    return c.json(body);
  };
}

/** Returns the name under which a view is counted: a known form or source, or "-" for any other text. */
function viewedForm(
  { forms }: ReturnType<SettingsStore["current"]>["forms"],
  requested: string,
): string {
  const known = forms.find(({ name }) => name === requested)?.name;
  return known ?? FORM_SOURCES.find((source) => source === requested) ?? "-";
}

/**
 * Returns whether the form is on a page of cfbe below `path`: on the demo page, or in the admin, as a preview. Only pages
 * of our own origin send their path.
 */
function isOn(path: string, { config: { baseUrl } }: Deps, c: Context): boolean {
  const page = URL.parse(c.req.header("referer") ?? "");
  return `${page?.origin}${page?.pathname}/`.startsWith(`${baseUrl}${path}/`);
}
