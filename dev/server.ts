/** The server of `deno task dev`: the program, with a page that shows every part of the admin. */
import { serve } from "../server/program/serve.ts";
import { partsPage } from "./gallery/parts.tsx";

await serve({ adminPages: [partsPage] });
