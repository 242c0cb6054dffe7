import { kvFactories } from "../testing/kv_factories.ts";
import { kvConformance } from "./conformance.ts";

for (const factory of kvFactories()) kvConformance(factory);
