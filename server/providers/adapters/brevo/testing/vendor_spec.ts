import type { VendorSpec } from "../../../testing/vendor_spec.ts";

const OTHER_FILE =
  "The files contain only contacts and webhooks. Brevo's documentation describes the operation.";
const LEFT_OUT = "The file leaves the operation out. Brevo's documentation and its own libraries have it.";
const ERROR = "The file describes only some errors. Brevo's page on rate limits describes this one.";

/** The files were made by others from Brevo's documentation. */
export const vendorSpec: VendorSpec = {
  files: ["brevo/brevo-contacts-api-openapi.yml", "brevo/brevo-webhooks-api-openapi.yml"],
  basePath: "/v3",
  reasons: {
    "POST /contacts/doubleOptinConfirmation": LEFT_OUT,
    "GET /contacts/attributes": LEFT_OUT,
    "POST /contacts/attributes/normal/{name}": LEFT_OUT,
    "GET /contacts/lists": LEFT_OUT,
    "GET /contacts/lists/{id}/contacts": LEFT_OUT,
    "GET /account": OTHER_FILE,
    "GET /smtp/templates/{id}": OTHER_FILE,
    "POST /smtp/email": OTHER_FILE,
    "POST /contacts 204 response":
      "The file describes only 201. Brevo's documentation has 204 for a contact that exists.",
    "GET /webhooks 404 response":
      "The file describes no account without webhooks. The double uses the harder of two answers: the adapter takes both.",
    "GET /contacts/{identifier} 429 response": ERROR,
    "DELETE /contacts/{identifier} 429 response": ERROR,
    "GET /webhooks 429 response": ERROR,
  },
};
