import { kvFactories } from "../../../dev/testing/kv_factories.ts";
import { queueConformance } from "./conformance.ts";

for (const factory of kvFactories()) queueConformance(factory);
