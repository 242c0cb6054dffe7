import { providerConformance } from "../../conformance.ts";
import { openKlaviyo } from "./testing/harness.ts";

providerConformance("klaviyo", openKlaviyo);
