import type { Page } from "../page.ts";
import { accountPage } from "./account.tsx";
import { firstRunPage } from "./first_run.tsx";
import { formPage } from "./form.tsx";
import { formsPage } from "./forms.tsx";
import { generalPage } from "./general.tsx";
import { jobsPage } from "./jobs.tsx";
import { overviewPage } from "./overview.tsx";
import { popupPage } from "./popup.tsx";
import { privacyPage } from "./privacy.tsx";
import { cartsPage, checkoutPage, couponPage, ordersPage } from "./shop.tsx";
import { textsPage } from "./texts.tsx";
import { usersPage } from "./users.tsx";
import { webhooksPage } from "./webhooks.tsx";

/** Every page, in the order of the navigation. The first one is where the admin opens. */
export const pages: readonly Page[] = [
  overviewPage,
  generalPage,
  formsPage,
  formPage,
  textsPage,
  popupPage,
  couponPage,
  checkoutPage,
  cartsPage,
  ordersPage,
  privacyPage,
  jobsPage,
  webhooksPage,
  usersPage,
  accountPage,
  firstRunPage,
];

export function pageAt(path: string): Page | undefined {
  return pages.find((page) => page.path === path);
}
