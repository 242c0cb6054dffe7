import type { Action } from "./frame/action.ts";
import { runActionOf } from "./frame/run_action.ts";
import { apiTokenActions } from "./accounts/actions/api_tokens.ts";
import { keyActions } from "./accounts/actions/keys.ts";
import { accountActions } from "./accounts/actions/account.ts";
import { auditTitles } from "./activity/audit_titles.ts";
import { alertActions } from "./activity/actions/alerts.ts";
import { bulkActions } from "./subscribers/actions/bulk.ts";
import { limitActions } from "./subscribers/actions/limits.ts";
import { migrationActions } from "./setup/actions/migration.ts";
import { identityActions } from "./accounts/actions/identity.ts";
import { passkeyActions } from "./accounts/actions/passkeys.ts";
import { passwordActions } from "./accounts/actions/passwords.ts";
import { passwordLinkActions } from "./accounts/actions/password_links.ts";
import { experimentActions } from "./forms/actions/experiments.ts";
import { formCodeActions } from "./forms/actions/form_code.ts";
import { formImageActions } from "./forms/actions/form_image.ts";
import { formLanguageActions } from "./forms/actions/form_languages.ts";
import { formActions } from "./forms/actions/forms.ts";
import { formCopyActions } from "./forms/actions/form_copies.ts";
import { formDraftActions } from "./forms/actions/form_drafts.ts";
import { readyFormActions } from "./forms/actions/ready_forms.ts";
import { formTitleActions } from "./forms/actions/form_titles.ts";
import { formVersionActions } from "./forms/actions/form_versions.ts";
import { popupActions } from "./forms/actions/popup.ts";
import { publishActions } from "./forms/actions/publish_form.ts";
import { peopleActions } from "./subscribers/actions/people.ts";
import { providerActions } from "./setup/actions/provider.ts";
import { serviceActions } from "./setup/actions/service.ts";
import { shopActions } from "./setup/actions/shop.ts";
import { signupActions } from "./subscribers/actions/signups.ts";
import { siteActions } from "./setup/actions/sites.ts";
import { settingsActions } from "./setup/actions/settings.ts";
import { secondFactorActions } from "./accounts/actions/second_factor.ts";
import { userActions } from "./accounts/actions/users.ts";
import { useProvider } from "./setup/actions/use_provider.ts";

/** All actions of the admin. */
export const actions: readonly Action[] = [
  ...accountActions,
  ...userActions,
  ...secondFactorActions,
  ...passkeyActions,
  ...identityActions,
  ...passwordActions,
  ...passwordLinkActions,
  ...apiTokenActions,
  ...siteActions,
  ...keyActions,
  ...settingsActions,
  ...formActions,
  ...formCopyActions,
  ...experimentActions,
  ...formCodeActions,
  ...formImageActions,
  ...formLanguageActions,
  ...formDraftActions,
  ...readyFormActions,
  ...formTitleActions,
  ...formVersionActions,
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

/** The titles of all entries of the audit log. */
export const titles = auditTitles(actions);

const byName = new Map<string, Action>(actions.map((action) => [action.name, action]));

export function actionNamed(name: string): Action | undefined {
  return byName.get(name);
}

/** Runs one of them; see `runActionOf`. */
export const runAction = runActionOf.bind(undefined, actionNamed);
