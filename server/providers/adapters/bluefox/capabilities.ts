import type { Capabilities } from "../../port/capabilities.ts";

export const bluefoxCapabilities: Capabilities = {
  optIn: "list",
  limits: {},
  showsPending: true,
  resend: true,
  listsChanged: true,
  listsUnconfirmed: true,
  triggered: true,
  transactional: true,
  templates: false,
  contacts: true,
  tags: true,
  properties: { called: "custom property", mustExist: true },
  erasure: true,
  reactivation: true,
  imports: true,
  webhook: true,
  signedWebhooks: false,
  probesWebhook: false,
};
