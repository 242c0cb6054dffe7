import { POPUP } from "../../settings/forms/all_forms.ts";

/** Returns the path of a form's page. */
export const formPath = (name: string) =>
  name === POPUP ? "/popup" : `/form-settings?form=${encodeURIComponent(name)}`;
