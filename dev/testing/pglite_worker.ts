/** Serves PostgreSQL, as WebAssembly, at a socket. Sends a message when it can be reached. */
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";

const path = new URL(import.meta.url).searchParams.get("path")!;
await new PGLiteSocketServer({ db: await PGlite.create(), path, maxConnections: 1 }).start();
(self as unknown as { postMessage(message: string): void }).postMessage("ready");
