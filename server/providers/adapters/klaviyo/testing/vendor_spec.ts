import type { VendorSpec } from "../../../testing/vendor_spec.ts";

const NO_FILE = "Klaviyo describes the operation in a file that is not among those here.";

/** Klaviyo's own specification, one file per operation. */
export const vendorSpec: VendorSpec = {
  files: [
    "klaviyo/bulk_subscribe_profiles.json",
    "klaviyo/get_list.json",
    "klaviyo/get_lists.json",
    "klaviyo/get_profiles.json",
    "klaviyo/get_profiles_for_list.json",
  ],
  reasons: {
    "POST /api/profile-import": NO_FILE,
    "POST /api/data-privacy-deletion-jobs": NO_FILE,
  },
};
