import type { VendorSpec } from "../../../testing/vendor_spec.ts";

/** Buttondown's own specification, from github.com/buttondown/openapi. */
export const vendorSpec: VendorSpec = {
  files: ["buttondown/openapi.json"],
  basePath: "/v1",
  reasons: {
    "POST /subscribers request": "A test signs up an address that Buttondown does not accept.",
    "GET /subscribers/{id_or_email} 200 response": "A test returns a type that Buttondown does not have.",
  },
};
