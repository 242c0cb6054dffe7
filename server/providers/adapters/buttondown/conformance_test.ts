import { providerConformance } from "../../conformance.ts";
import { openButtondown } from "./testing/harness.ts";

providerConformance("buttondown", openButtondown);
