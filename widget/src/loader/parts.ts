import type { Load } from "../host/context.ts";

/** The build puts in what the names of all parts end in: one for all, or a loader of 2 KB would hold a list of them. */
const VERSION = "%version%";

/** The build makes it `import`. */
declare function importChunk<Module>(url: string): Promise<Module>;

/** Imports parts of the widget from the server at `base`, which is where the loader came from. */
export const loadFrom = (base: string): Load => (name) => importChunk(`${base}/cfbe/${name}-${VERSION}.js`);
