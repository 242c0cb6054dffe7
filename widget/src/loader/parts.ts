import type { Load } from "../host/context.ts";

/** Replaced by the build. All parts share one version, because a list of names would not fit in a 2 KB loader. */
const VERSION = "%version%";

/** Replaced by `import` in the build. */
declare function importChunk<Module>(url: string): Promise<Module>;

/** Returns a function that imports parts of the widget from the server that the loader came from. */
export const loadFrom = (base: string): Load => (name) => importChunk(`${base}/cfbe/${name}-${VERSION}.js`);
