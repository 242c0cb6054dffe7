import type { Page } from "./frame/page.ts";
import { titles } from "./action_table.ts";
import { apiTokensPage } from "./accounts/api_tokens.tsx";
import { accountPage } from "./accounts/account.tsx";
import { alertsPage } from "./activity/alerts.tsx";
import { auditPage } from "./activity/audit.tsx";
import { bulkPage } from "./subscribers/bulk.tsx";
import { couponPage } from "./setup/coupon.tsx";
import { firstRunPage } from "./setup/first_run.tsx";
import { defaultsPage } from "./forms/defaults.tsx";
import { experimentPage } from "./forms/experiment/experiment.tsx";
import { historyPage } from "./forms/history/history.tsx";
import { formPage } from "./forms/form.tsx";
import { newFormPage } from "./forms/gallery/gallery.tsx";
import { formsPage } from "./forms/list.tsx";
import { popupPage } from "./forms/popup.tsx";
import { generalPage } from "./setup/general.tsx";
import { jobsPage } from "./activity/jobs.tsx";
import { overviewPage } from "./activity/overview.tsx";
import { providerPage } from "./setup/provider/page.tsx";
import { privacyPage } from "./subscribers/privacy.tsx";
import { requestsPage } from "./activity/requests.tsx";
import { cartsPage, checkoutPage, ordersPage } from "./setup/shop.tsx";
import { connectPage } from "./setup/connect.tsx";
import { sitesPage } from "./setup/sites.tsx";
import { sourcesPage } from "./activity/sources.tsx";
import { subscriberPage } from "./subscribers/subscriber.tsx";
import { subscribersPage } from "./subscribers/subscribers.tsx";
import { usersPage } from "./accounts/users.tsx";
import { webhooksPage } from "./activity/webhooks.tsx";

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
  auditPage(titles),
  usersPage,
  apiTokensPage,
  sitesPage,
  accountPage,
  connectPage,
  newFormPage,
  formPage,
  popupPage,
  experimentPage,
  historyPage,
  subscriberPage,
  bulkPage,
  firstRunPage,
];
