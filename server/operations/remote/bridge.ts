import type { Clock } from "../../platform/deps.ts";
import { settingsOfForm } from "../../settings/forms/form_settings.ts";
import { isPublished } from "../../settings/forms/form_state.ts";
import type { Sites } from "../../platform/tokens/sites/store.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { checkFields } from "../../signup/subscribe/check_fields.ts";

/** What the WordPress plugin can choose from, and checks its own settings against. */
export interface BridgeFacts {
  /** The published forms. `needs` names the fields that a newsletter checkbox does not ask for, though they are required. */
  forms: { name: string; needs: string[] }[];
  /** What the default form needs. */
  needs: string[];
  lists: { id: string; name: string }[];
  /** Empty if none is set: signups that name no list are then refused. */
  defaultList: string;
  modules: { carts: boolean; checkout: boolean };
  shop: { kind: string; hasSecret: boolean };
}

/** All that a newsletter checkbox sends. */
const CHECKBOX = { email: "ann@example.com", consent: true };

/** Returns what a site's plugin needs to know about the settings. Contains no secret. */
export function bridgeFacts(
  { settings, clock, sites }: { settings: SettingsStore; clock: Clock; sites: Pick<Sites, "connected"> },
): BridgeFacts {
  const current = settings.current();
  const { general, checkout } = current;
  // A connected site signs its orders with a secret of its own.
  const hasSecret = checkout.secret !== "" || sites.connected().some(({ modules }) => modules.length > 0);
  const needsOf = (name?: string) => {
    const checked = checkFields(CHECKBOX, settingsOfForm(current, { name }, []));
    return checked.ok ? [] : Object.keys(checked.fields);
  };
  return {
    forms: current.forms.forms.filter((form) => isPublished(current, form, clock.now())).map(({ name }) => ({
      name,
      needs: needsOf(name),
    })),
    needs: needsOf(),
    lists: general.knownLists.map(({ id, name }) => ({ id, name })),
    defaultList: general.defaultList,
    modules: { carts: general.modules.carts, checkout: general.modules.checkout },
    shop: { kind: checkout.shop, hasSecret },
  };
}
