import { providerConformance } from "../../conformance.ts";
import { openBluefox } from "./testing/harness.ts";

providerConformance("bluefox on the sandbox", openBluefox);
