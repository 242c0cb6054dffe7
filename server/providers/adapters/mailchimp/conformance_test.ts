import { providerConformance } from "../../conformance.ts";
import { openMailchimp } from "./testing/harness.ts";

providerConformance("mailchimp", openMailchimp);
