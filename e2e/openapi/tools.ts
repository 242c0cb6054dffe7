/** Schemathesis, which makes requests from an OpenAPI document. It is a Python program. */
import { join } from "node:path";
import { TOOLS } from "../tools_folder.ts";

const VERSION = "4.32.5";
export const FOLDER = join(TOOLS, `schemathesis-${VERSION}`);
export const PROGRAM = join(FOLDER, "bin/schemathesis");
export const PACKAGE = `schemathesis==${VERSION}`;
