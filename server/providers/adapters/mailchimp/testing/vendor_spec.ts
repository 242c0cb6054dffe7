import type { VendorSpec } from "../../../testing/vendor_spec.ts";

/** The files are a copy of parts of Mailchimp's own specification. */
export const vendorSpec: VendorSpec = {
  files: [
    "mailchimp/mailchimp-members-api-openapi.yml",
    "mailchimp/mailchimp-webhooks-api-openapi.yml",
    "mailchimp/mailchimp-pings-api-openapi.yml",
  ],
  basePath: "/3.0",
  reasons: {
    "GET /lists/{list_id}/merge-fields": "The copy leaves merge fields out.",
    "POST /lists/{list_id}/merge-fields": "The copy leaves merge fields out.",
    "GET /lists": "The copy leaves audiences out.",
    "GET /lists/{list_id}": "The copy leaves audiences out.",
  },
};
