/** Attribute of a `<cfbe-form>` that is not shown: the `PopupBlocker` that is the reason. */
export const OFF = "off";
