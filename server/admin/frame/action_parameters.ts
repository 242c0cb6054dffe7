/** Parameters of the URL of an action. They are not in the body, so that they can be checked before it is read. */
export const ACTION_PARAMETERS = { action: "action", nonce: "_nonce", checkOnly: "_check_only" } as const;
