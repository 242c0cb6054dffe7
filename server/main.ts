/** The entry point: the only file of the server with side effects on import. */
import { serve } from "./program/serve.ts";

await serve();
