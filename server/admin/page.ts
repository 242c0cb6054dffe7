import type { VNode } from "preact";
import type { Capability } from "./auth/capability.ts";
import type { View } from "./view.ts";

/** The groups of the side navigation, in their order. */
export const GROUPS = ["Watch", "Collect", "Shop", "Set up"] as const;

/** A page of the admin. */
export interface Page {
  /** Below the admin, such as `/general`. */
  path: string;
  title: string;
  /** One sentence under the title. */
  lead?: string;
  /** Where it stands in the navigation; absent for pages that are reached from others. */
  group?: typeof GROUPS[number];
  capability: Capability;
  /** What its search form asks for. It is sent by POST, so that the browser puts none of it into an address. */
  searched?: readonly string[];
  /** The page below its title. Reads what it needs by itself. */
  render(view: View): VNode | Promise<VNode>;
}
