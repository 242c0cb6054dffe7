import type { Capabilities } from "../../port/capabilities.ts";

export const mailchimpCapabilities: Capabilities = {
  optIn: "list",
  limits: { concurrent: 10 },
  showsPending: true,
  resend: false,
  listsChanged: true,
  listsUnconfirmed: true,
  triggered: false,
  transactional: false,
  templates: false,
  contacts: false,
  tags: true,
  properties: { called: "merge field", mustExist: true, own: { firstName: "FNAME", lastName: "LNAME" } },
  erasure: true,
  takesBack: true,
  reactivation: false,
  imports: true,
  webhook: true,
  signedWebhooks: true,
  probesWebhook: true,
};
