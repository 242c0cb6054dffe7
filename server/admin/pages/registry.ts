import type { Page } from "../page.ts";
import { accountPage } from "./account.tsx";
import { alertsPage } from "./alerts.tsx";
import { auditPage } from "./audit.tsx";
import { bulkPage } from "./bulk.tsx";
import { couponPage } from "./coupon.tsx";
import { firstRunPage } from "./first_run.tsx";
import { defaultsPage } from "./forms/defaults.tsx";
import { experimentPage } from "./forms/experiment.tsx";
import { formPage } from "./forms/form.tsx";
import { formsPage } from "./forms/list.tsx";
import { popupPage } from "./forms/popup.tsx";
import { generalPage } from "./general.tsx";
import { jobsPage } from "./jobs.tsx";
import { overviewPage } from "./overview.tsx";
import { partsPage } from "./parts.tsx";
import { providerPage } from "./provider/page.tsx";
import { privacyPage } from "./privacy.tsx";
import { requestsPage } from "./requests.tsx";
import { cartsPage, checkoutPage, ordersPage } from "./shop.tsx";
import { sourcesPage } from "./sources.tsx";
import { subscriberPage } from "./subscriber.tsx";
import { subscribersPage } from "./subscribers.tsx";
import { usersPage } from "./users.tsx";
import { webhooksPage } from "./webhooks.tsx";

/** Every page, in the order of the navigation. The first one is where the admin opens. */
export const pages: readonly Page[] = [
  overviewPage,
  subscribersPage,
  sourcesPage,
  alertsPage,
  jobsPage,
  formsPage,
  defaultsPage,
  couponPage,
  checkoutPage,
  cartsPage,
  ordersPage,
  providerPage,
  generalPage,
  webhooksPage,
  privacyPage,
  requestsPage,
  auditPage,
  usersPage,
  accountPage,
  formPage,
  popupPage,
  experimentPage,
  subscriberPage,
  bulkPage,
  firstRunPage,
  partsPage,
];

export function pageAt(path: string): Page | undefined {
  return pages.find((page) => page.path === path);
}
