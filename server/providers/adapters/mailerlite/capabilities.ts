import type { Capabilities } from "../../port/capabilities.ts";

export const mailerliteCapabilities: Capabilities = {
  optIn: "account",
  limits: { perMinute: 120, requestsPerCall: 2 },
  showsPending: true,
  resend: false,
  listsChanged: false,
  listsUnconfirmed: true,
  triggered: false,
  transactional: false,
  templates: false,
  contacts: false,
  tags: false,
  properties: {
    called: "custom field",
    mustExist: true,
    own: { firstName: "name", lastName: "last_name", phone: "phone" },
  },
  erasure: true,
  reactivation: false,
  imports: true,
  webhook: true,
  signedWebhooks: true,
  probesWebhook: false,
};
