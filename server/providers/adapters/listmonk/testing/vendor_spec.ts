import type { VendorSpec } from "../../../testing/vendor_spec.ts";

const ERROR = "The file describes no errors. The program responds like this.";
const PROXY = "listmonk has no rate limit of its own, but a proxy in front of it may have one.";

/** listmonk's own file, which is partly behind its code. The adapter was run against the program itself. */
export const vendorSpec: VendorSpec = {
  files: ["listmonk/collections.yaml"],
  basePath: "/lists.example/api",
  reasons: {
    "PATCH /subscribers/{id}": "The file leaves the operation out. Version 6 has it.",
    "GET /subscribers query": "The file leaves the parameter search out. The program has it.",
    "POST /subscribers/{id}/optin request": "The program accepts an empty object.",
    "PUT /subscribers/lists request":
      "The file says that target_list_ids is a number. The program takes a list.",
    "PUT /subscribers/lists 500 response": ERROR,
    "POST /subscribers 409 response": ERROR,
    "POST /subscribers 403 response": ERROR,
    "GET /subscribers/{id}/bounces 403 response": ERROR,
    "POST /subscribers/{id}/optin 500 response": ERROR,
    "GET /templates/{id} 400 response": ERROR,
    "POST /tx 400 response": ERROR,
    "GET /subscribers 403 response": ERROR,
    "GET /lists 403 response": ERROR,
    "GET /profile": "The file leaves the operation out. Version 6 has it.",
    "GET /templates/{id} 403 response": ERROR,
    "GET /subscribers 429 response": PROXY,
    "GET /lists 429 response": PROXY,
    "GET /templates/{id} 429 response": PROXY,
  },
};
