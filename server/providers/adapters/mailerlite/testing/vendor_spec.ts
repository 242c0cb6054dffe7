import type { VendorSpec } from "../../../testing/vendor_spec.ts";

const RECORDED = "The files leave the operation out. MailerLite recorded it.";
const FIELDS = "The files and the recordings leave fields out. MailerLite's documentation describes them.";
const ERROR = "The files describe no errors, and the recordings contain none.";
const PARAMETER = "The files leave the parameter out. MailerLite's documentation describes it.";

/** The files were made by others from MailerLite's documentation; the recordings are MailerLite's own. */
export const vendorSpec: VendorSpec = {
  files: [
    "mailerlite/mailerlite-subscribers-api-openapi.yml",
    "mailerlite/mailerlite-groups-api-openapi.yml",
    "mailerlite/mailerlite-webhooks-api-openapi.yml",
  ],
  recordings: ["mailerlite/recorded"],
  reasons: {
    "POST /api/subscribers/{id}/groups/{group_id}": RECORDED,
    "GET /api/groups/{group_id}/subscribers": RECORDED,
    "PUT /api/webhooks/{webhook_id}": RECORDED,
    "GET /api/fields": FIELDS,
    "POST /api/fields": FIELDS,
    "GET /api/subscribers/{subscriber} 200 recording":
      "A test has a field of its own, and the recorded account has none.",
    "GET /api/groups query": PARAMETER,
    "GET /api/webhooks query": "The files leave the page out. The links in the recorded response have it.",
    "POST /api/subscribers 201 response":
      "The files describe only 200, for somebody who is in the account. The documentation has 201 for a new person.",
    "POST /api/subscribers 422 response": ERROR,
    "POST /api/webhooks 422 response": ERROR,
    "GET /api/subscribers/{subscriber} 401 response": ERROR,
    "GET /api/subscribers/{subscriber} 404 response": ERROR,
    "GET /api/subscribers/{subscriber} 429 response": ERROR,
    "GET /api/groups 401 response": ERROR,
    "GET /api/groups 429 response": ERROR,
    "GET /api/webhooks 401 response": ERROR,
    "GET /api/webhooks 429 response": ERROR,
  },
};
