/** Returns the path of a form's page. */
export const formPath = (name: string) => `/form-settings?form=${encodeURIComponent(name)}`;
