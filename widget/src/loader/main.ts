/**
 * The script tag: `<script async src="https://news.example/cfbe.js"></script>`.
 *
 * Works as a classic script and as a module, under any file name, before or after the markup, and when inserted by a
 * tag manager. A second copy on a page does nothing. Attributes: `data-manual`, `data-locale`, `data-datalayer`,
 * `data-storage`, `data-checkout` and `nonce`, which also applies to the parts that the script imports.
 */
import { createContext } from "./context.ts";
import { install } from "./install.ts";

install(createContext);
