import type { Action } from "../frame/action.ts";
import type { Posted } from "../frame/ajax_body.ts";
import type { Page } from "../frame/page.ts";
import type { AdminServices } from "../frame/services.ts";
import type { CheckedSettings } from "../frame/view.ts";

/** What the admin consists of. It is passed to the shell, which imports no screen. */
export interface Screens {
  /** Every page, in the order of the navigation. The first one is where the admin opens. */
  pages: readonly Page[];
  actionNamed(name: string): Action | undefined;
  /** Returns whether the values of an action's form can be previewed and checked. */
  hasPreview(action: string): boolean;
  /** Returns the settings as if a form was saved. @throws {Refusal} if saving would be refused */
  checkedSettings(app: AdminServices, posted: Posted): CheckedSettings;
}
