import type { Page } from "../page.ts";
import { accountPage } from "./account.tsx";
import { generalPage } from "./general.tsx";
import { usersPage } from "./users.tsx";

/** Every page, in the order of the navigation. The first one is where the admin opens. */
export const pages: readonly Page[] = [
  generalPage,
  usersPage,
  accountPage,
];

export function pageAt(path: string): Page | undefined {
  return pages.find((page) => page.path === path);
}
