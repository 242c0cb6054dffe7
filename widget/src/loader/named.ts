/**
 * The script tag that names its form: `<script async src="https://news.example/cfbe.js?form=footer">`. The server adds the
 * form's parts and settings to this script, so that one request brings all.
 */
import type { NamedSettings } from "../../../shared/public_settings.ts";
import { createContext } from "./context.ts";
import { install } from "./install.ts";
import { type IncludedParts, withIncluded } from "./included.ts";

/** The server replaces them by arguments. */
declare const cfbeParts: IncludedParts;
declare const cfbeSettings: NamedSettings;

install((...of) => withIncluded(createContext(...of), cfbeParts, cfbeSettings));
