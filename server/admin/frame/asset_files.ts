import { PAGE_ASSETS_FOLDER } from "../../platform/pages/own_page.ts";

/** Folder of the admin's scripts and pictures. */
export const ASSETS = new URL("./assets/", import.meta.url);

const STYLES = new URL("./styles/", import.meta.url);

/** Every style sheet of the admin, in the order of the cascade. */
export const SHEETS = [
  new URL("tokens.css", PAGE_ASSETS_FOLDER),
  ...[
    "base",
    "frame",
    "parts",
    "chips",
    "forms",
    "list_editor",
    "form_pages",
    "gallery",
    "live_preview",
    "editor",
    "canvas",
    "elements",
    "variants",
    "design",
    "buttons",
    "tables",
    "entries",
    "subscribers",
    "person",
    "sign_in",
    "phones",
    "actions",
    "overview",
    "chart",
    "first_run",
    "provider",
    "forced_colors",
  ].map((name) => new URL(`${name}.css`, STYLES)),
];
