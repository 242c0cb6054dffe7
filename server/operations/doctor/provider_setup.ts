import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import type { OptIn } from "../../providers/port/capabilities.ts";
import type { Provider, ProviderList } from "../../providers/port/port.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { type Finding, finding, noAnswer, type Skipped } from "./finding.ts";
import { chosenLists } from "../provider/lists.ts";

/** Checks what is set at the provider: double opt-in, and the templates of the emails. */

/** Where double opt-in is turned on. */
export const OPT_IN_PLACES: Readonly<Record<Exclude<OptIn, "none">, string>> = {
  list: "in the list's settings",
  form: "in the form's settings",
  template: "with the template of the confirmation email",
  account: "in the account's settings",
};

/** Returns the problems of double opt-in on the lists that the settings use. */
export function optInFindings(settings: Settings, lists: readonly ProviderList[], optIn: OptIn): Finding[] {
  const chosen = chosenLists(settings);
  const used = lists.filter(({ id }) => chosen.has(id));
  const unknown = used.filter(({ doubleOptIn }) => doubleOptIn === undefined).map(({ name }) => name);
  const off = used.filter(({ doubleOptIn }) => doubleOptIn === false).map(({ id, name }) =>
    finding("error", "lists.single_opt_in", {
      what: `Double opt-in is off for the list ${name} (${id}), selected in ${chosen.get(id)!.join(", ")}.`,
      why: optIn === "template"
        ? "The provider refuses every signup to it, because it cannot send the confirmation email."
        : "Anyone can sign up someone else, and there is no proof that the owner of an address agreed.",
      todo: optIn === "none"
        ? "This provider has no double opt-in. Use another provider for signups from public forms."
        : `Turn it on at the provider, ${OPT_IN_PLACES[optIn]}, ` +
          `then run \`${cfbeCommand()} lists load\`.`,
    })
  );
  if (unknown.length === 0 || optIn === "none") return off;
  const unreadable = finding("warning", "lists.opt_in_unknown", {
    what: `The provider does not show whether double opt-in is on for: ${unknown.join(", ")}.`,
    why: "If it is off, anyone can sign up someone else.",
    todo: `Check it at the provider, ${OPT_IN_PLACES[optIn]}.`,
  });
  return [...off, unreadable];
}

/** Returns the templates that the modules in use send, by ID, with the settings that name them. */
function templatesOf({ general: { modules }, coupon, carts, orders }: Settings): Map<string, string[]> {
  const used = new Map<string, string[]>();
  const use = (id: string, where: string) => {
    if (id !== "") used.set(id, [...used.get(id) ?? [], where]);
  };
  if (modules.coupons) use(coupon.template, "coupon.template");
  if (modules.carts) use(carts.template, "carts.template");
  if (modules.orderEmails) {
    for (const [status, id] of Object.entries(orders.templates)) use(id, `orders.templates.${status}`);
  }
  return used;
}

/** Returns the templates in use that do not exist at the provider. */
export async function templateFindings(
  { settings, provider }: { settings: Pick<SettingsStore, "current">; provider: Provider },
): Promise<Finding[] | Skipped> {
  const { templates, transactional, triggered } = provider.capabilities;
  if (!transactional && !triggered) return { skipped: "The provider sends no emails from templates." };
  const used = templatesOf(settings.current());
  if (used.size > 0 && !templates) {
    return {
      skipped: "The provider does not say which templates it has. Compare their IDs in its dashboard.",
    };
  }
  const findings: Finding[] = [];
  for (const [id, where] of used) {
    const found = await provider.template(id);
    if (found.kind === "trouble") return { skipped: noAnswer(found.reason) };
    if (found.kind === "found") continue;
    findings.push(finding("error", "templates.missing", {
      what: `The email template ${id}, entered in ${where.join(", ")}, does not exist at the provider.`,
      why: "Its emails can't be sent, and fail after three days.",
      todo: "Enter the ID of a template that exists there.",
    }));
  }
  return findings;
}

/** Returns all problems of the setup at a provider that can be reached. */
export async function setupFindings(
  app: { settings: Pick<SettingsStore, "current">; provider: Provider },
): Promise<Finding[]> {
  const [found, templates] = await Promise.all([app.provider.lists(), templateFindings(app)]);
  const { optIn } = app.provider.capabilities;
  return [
    ...(found.kind === "trouble" ? [] : optInFindings(app.settings.current(), found.lists, optIn)),
    ...("skipped" in templates ? [] : templates),
  ];
}
