import type { Capabilities } from "../../port/capabilities.ts";

export const listmonkCapabilities: Capabilities = {
  optIn: "list",
  // listmonk limits only failed sign-ins.
  limits: {},
  showsPending: true,
  resend: true,
  sendsSeparately: true,
  // Its listing by last change does not include confirmations.
  listsChanged: false,
  listsUnconfirmed: true,
  triggered: true,
  transactional: true,
  templates: true,
  contacts: true,
  tags: true,
  properties: { called: "subscriber attribute", mustExist: false },
  erasure: true,
  takesBack: true,
  reactivation: true,
  imports: true,
  webhook: false,
  signedWebhooks: false,
  probesWebhook: false,
};
