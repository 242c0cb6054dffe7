import { kvFactories } from "../../../dev/testing/kv_factories.ts";
import { kvConformance } from "./conformance.ts";

for (const factory of kvFactories()) kvConformance(factory);
