import { providerJourney } from "../../testing/journey.ts";
import { openButtondown } from "./testing/harness.ts";

providerJourney("buttondown", openButtondown);
