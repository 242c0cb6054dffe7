import type { Load, Parts } from "../host/context.ts";

/** The build puts a chunk's file name for each `%name%`. */
const FILES: Record<keyof Parts, string> = {
  checkout: "%checkout%",
  form: "%form%",
  headless: "%headless%",
  mail: "%mail%",
  own: "%own%",
};

/** The build makes it `import`. */
declare function importChunk<Module>(url: string): Promise<Module>;

/** Imports parts of the widget from the server at `base`, which is where the loader came from. */
export const loadFrom = (base: string): Load => (name) => importChunk(`${base}/${FILES[name]}`);
