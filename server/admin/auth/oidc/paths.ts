/** Path in the admin that leads to the identity provider. */
export const OIDC_START = "/login/provider";
/** Path in the admin that the identity provider sends people back to. */
export const OIDC_BACK = "/login/provider/back";
