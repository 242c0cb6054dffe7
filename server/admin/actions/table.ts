import type { Action } from "../action.ts";
import { accountActions } from "./account.ts";
import { alertActions } from "./alerts.ts";
import { bulkActions } from "./bulk.ts";
import { limitActions } from "./limits.ts";
import { migrationActions } from "./migration.ts";
import { passwordLinkActions } from "./password_links.ts";
import { experimentActions } from "./experiments.ts";
import { formImageActions } from "./form_image.ts";
import { formActions } from "./forms.ts";
import { formCopyActions } from "./form_copies.ts";
import { formDraftActions } from "./form_drafts.ts";
import { popupActions } from "./popup.ts";
import { publishActions } from "./publish_form.ts";
import { peopleActions } from "./people.ts";
import { providerActions } from "./provider.ts";
import { serviceActions } from "./service.ts";
import { shopActions } from "./shop.ts";
import { signupActions } from "./signups.ts";
import { settingsActions } from "./settings.ts";
import { userActions } from "./users.ts";
import { useProvider } from "./use_provider.ts";

/** All actions of the admin. */
export const actions: readonly Action[] = [
  ...accountActions,
  ...userActions,
  ...passwordLinkActions,
  ...settingsActions,
  ...formActions,
  ...formCopyActions,
  ...experimentActions,
  ...formImageActions,
  ...formDraftActions,
  ...popupActions,
  ...publishActions,
  ...providerActions,
  useProvider,
  ...shopActions,
  ...serviceActions,
  ...limitActions,
  ...alertActions,
  ...signupActions,
  ...peopleActions,
  ...bulkActions,
  ...migrationActions,
];

const byName = new Map<string, Action>(actions.map((action) => [action.name, action]));

export function actionNamed(name: string): Action | undefined {
  return byName.get(name);
}
