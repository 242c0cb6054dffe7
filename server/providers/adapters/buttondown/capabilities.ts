import type { Capabilities } from "../../port/capabilities.ts";

export const buttondownCapabilities: Capabilities = {
  // Buttondown's support can turn it off for a newsletter, and the API does not show that.
  optIn: "account",
  // Buttondown also accepts only 100 new people a day, for which there is no limit here.
  limits: { perMinute: 600, requestsPerCall: 3 },
  showsPending: true,
  resend: true,
  listsChanged: false,
  listsUnconfirmed: true,
  triggered: false,
  transactional: false,
  templates: false,
  contacts: false,
  tags: true,
  properties: { called: "metadata key", mustExist: false },
  erasure: true,
  reactivation: true,
  imports: false,
  // The site's owner registers it, with a signing key.
  webhook: false,
  signedWebhooks: true,
  probesWebhook: false,
};
