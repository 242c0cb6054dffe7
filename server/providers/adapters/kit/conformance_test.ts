import { providerConformance } from "../../conformance.ts";
import { openKit } from "./testing/harness.ts";

providerConformance("kit", openKit);
