import { providerConformance } from "../../conformance.ts";
import { openBrevo } from "./testing/harness.ts";

providerConformance("brevo", openBrevo);
