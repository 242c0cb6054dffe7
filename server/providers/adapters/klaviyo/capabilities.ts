import type { Capabilities } from "../../port/capabilities.ts";

export const klaviyoCapabilities: Capabilities = {
  optIn: "list",
  limits: { perSecond: 75, perMinute: 750, requestsPerCall: 3 },
  // Before the confirmation, a profile looks like that of somebody who never subscribed.
  showsPending: false,
  resend: true,
  listsChanged: true,
  listsUnconfirmed: false,
  triggered: false,
  transactional: false,
  templates: false,
  contacts: true,
  tags: true,
  properties: {
    called: "custom property",
    mustExist: false,
    own: { firstName: "first_name", lastName: "last_name" },
  },
  erasure: true,
  reactivation: false,
  imports: true,
  webhook: false,
  signedWebhooks: true,
  probesWebhook: false,
};
