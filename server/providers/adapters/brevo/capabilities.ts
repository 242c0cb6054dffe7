import type { Capabilities } from "../../port/capabilities.ts";

export const brevoCapabilities: Capabilities = {
  optIn: "template",
  // Of contacts and lists, for every plan. Other calls are rare.
  limits: { perSecond: 10, perHour: 36_000, requestsPerCall: 2 },
  showsPending: false,
  resend: true,
  listsChanged: true,
  listsUnconfirmed: false,
  triggered: true,
  transactional: true,
  templates: true,
  contacts: true,
  tags: true,
  properties: {
    called: "contact attribute",
    mustExist: true,
    own: { firstName: "FIRSTNAME", lastName: "LASTNAME" },
  },
  erasure: true,
  reactivation: true,
  imports: true,
  webhook: true,
  signedWebhooks: false,
  probesWebhook: false,
};
