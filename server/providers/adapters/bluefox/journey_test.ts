import { providerJourney } from "../../testing/journey.ts";
import { openBluefox } from "./testing/harness.ts";

providerJourney("bluefox", openBluefox);
