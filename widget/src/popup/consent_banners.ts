/**
 * Listens to cookie banners, so that a page needs no code of its own for `data-storage="consent"`. What cfbe stores
 * counts as a preference; in the TCF it is purpose 1, to store information on a device.
 */

/** What the banners add to a page, as far as it is used here. */
interface BannerGlobals {
  /** WP Consent API: https://github.com/WordPress/wp-consent-level-api */
  wp_consent_type?: string | false;
  wp_fallback_consent_type?: string | false;
  wp_has_consent?(category: string): boolean;
  /** Customer Privacy API: https://shopify.dev/docs/api/customer-privacy */
  Shopify?: {
    customerPrivacy?: { preferencesProcessingAllowed?(): boolean };
    loadFeatures?(features: { name: string; version: string }[], loaded: (error?: unknown) => void): void;
  };
  /** TCF 2: https://github.com/InteractiveAdvertisingBureau/GDPR-Transparency-and-Consent-Framework */
  __tcfapi?(command: "addEventListener", version: 2, listen: (data: TcfData, ok: boolean) => void): void;
}

interface TcfData {
  eventStatus: string;
  gdprApplies?: boolean;
  purpose?: { consents?: Record<number, boolean> };
}

const page = self as BannerGlobals;

/**
 * Reports whether the visitor consents, now and after each change. Reports nothing while no banner knows. If a page has
 * several banners, each is reported.
 */
export function watchConsent(report: (granted: boolean) => void): void {
  const fromWordPress = () => {
    // Until a banner has set the type, `wp_has_consent` returns true.
    const type = page.wp_consent_type ?? page.wp_fallback_consent_type;
    if (type !== undefined && page.wp_has_consent) report(page.wp_has_consent("preferences"));
  };
  const fromShopify = () => {
    const allowed = page.Shopify?.customerPrivacy?.preferencesProcessingAllowed?.();
    if (allowed !== undefined) report(allowed);
  };
  const ask = () => {
    fromWordPress();
    fromShopify();
    page.Shopify?.loadFeatures?.([{ name: "consent-tracking-api", version: "0.1" }], (error) => {
      if (!error) fromShopify();
    });
  };
  // A tag manager may add such a banner long after the page has loaded, and it fires no event.
  const pauses = [1, 2, 4, 8, 16];
  const listenToTcf = () => {
    const pause = pauses.shift();
    if (!page.__tcfapi) return pause && setTimeout(listenToTcf, pause * 1000);
    page.__tcfapi("addEventListener", 2, ({ eventStatus, gdprApplies, purpose }, ok) => {
      // While the banner is open, its data is that of an earlier choice.
      if (ok && eventStatus !== "cmpuishown") report(gdprApplies === false || !!purpose?.consents?.[1]);
    });
  };

  for (const event of ["wp_consent_type_defined", "wp_listen_for_consent_change"]) {
    document.addEventListener(event, fromWordPress);
  }
  document.addEventListener("visitorConsentCollected", fromShopify);
  ask();
  listenToTcf();
  // Banners may load after this part.
  if (document.readyState !== "complete") addEventListener("load", ask, { once: true });
}
