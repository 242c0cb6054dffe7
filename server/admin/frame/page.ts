import type { IconName } from "./icon_shapes.ts";
import type { VNode } from "preact";
import type { Capability } from "../auth/capability.ts";
import type { AdminServices } from "./services.ts";
import { SHARED_SERVICES, type View } from "./view.ts";

/** Groups of the navigation, in order. */
export const GROUPS = ["Audience & activity", "Forms", "Shop", "Settings"] as const;

/** What a page says to users who may not change forms, if it has settings that require this. */
export const ONLY_MARKETERS = "You can read this page. Only admins and marketers can change anything on it.";

/** A page of the admin. */
export interface Page<Service extends keyof AdminServices = keyof AdminServices> {
  /** Path below the admin, such as `/general`. */
  path: string;
  title: string;
  /** Heading to show in place of the title. It may contain an address: it is no part of the browser's history. */
  heading?(view: View): string | undefined;
  /** Title of the document, if it names what the page shows. Browsers keep it, so it contains no personal data. */
  documentTitle?(view: View): string | undefined;
  /** One sentence under the title. */
  lead?: string;
  /** Group in the navigation; absent for pages that are linked only from other pages. */
  group?: typeof GROUPS[number];
  /** Path of the page whose entry in the navigation is marked on this page, for pages without a group. */
  parent?: string;
  /** Icon in the navigation, for pages with a group. */
  icon?: IconName;
  /** Letter that opens the page after "g"; for pages with a group. */
  shortcut?: string;
  /** Number to show beside the title in the navigation, unless it is 0. The noun, such as "open", is for screen readers. */
  count?(view: View): { number: number; noun: string };
  capability: Capability;
  /** Says what the user's role may not do on the page, and who may. Pages with settings say so without it. */
  limits?(view: View): string | undefined;
  /** Fields of its search form, which is sent by POST so that no value appears in a URL. */
  searchFields?: readonly string[];
  /** Reads the page's data, and renders the content below the heading. */
  render(view: View<Service>): VNode | Promise<VNode>;
}

/** Returns a page that gets only some services. @param page.services those that it uses besides the shared ones */
export function definePage<const Service extends keyof AdminServices = never>(
  { services = [], ...page }: Page<Service> & { services?: readonly Service[] },
): Page {
  const given = [...SHARED_SERVICES, ...services];
  return {
    ...page,
    render(view) {
      const app = Object.fromEntries(given.map((name) => [name, view.app[name]]));
      return page.render({ ...view, app: app as View<Service>["app"] });
    },
  };
}

export function pageAt(pages: readonly Page[], path: string): Page | undefined {
  return pages.find((page) => page.path === path);
}
