import type { Capabilities } from "../../port/capabilities.ts";

export const kitCapabilities: Capabilities = {
  optIn: "form",
  limits: { perMinute: 120, requestsPerCall: 3 },
  showsPending: true,
  resend: false,
  // Its listing by last change covers the whole account and has no forms.
  listsChanged: false,
  listsUnconfirmed: true,
  triggered: false,
  transactional: false,
  templates: false,
  contacts: false,
  tags: false,
  properties: { called: "custom field", mustExist: true, own: { firstName: "first_name" } },
  erasure: false,
  reactivation: false,
  imports: false,
  webhook: true,
  signedWebhooks: true,
  probesWebhook: false,
};
