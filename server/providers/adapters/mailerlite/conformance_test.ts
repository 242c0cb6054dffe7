import { providerConformance } from "../../conformance.ts";
import { openMailerlite } from "./testing/harness.ts";

providerConformance("mailerlite", openMailerlite);
