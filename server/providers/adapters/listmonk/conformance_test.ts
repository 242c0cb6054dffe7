import { providerConformance } from "../../conformance.ts";
import { openListmonk } from "./testing/harness.ts";

providerConformance("listmonk", openListmonk);
