import type { PageValueName } from "../../../shared/page_values.ts";

/** Labels of the values of a signup's page. */
export const PAGE_VALUE_LABELS: Record<PageValueName, string> = {
  page: "Page",
  referrer: "Linking site",
  utm_source: "UTM source",
  utm_medium: "UTM medium",
  utm_campaign: "UTM campaign",
  utm_term: "UTM term",
  utm_content: "UTM content",
};
