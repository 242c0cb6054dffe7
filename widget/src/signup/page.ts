import { type SignupPage, UTM_NAMES } from "../../../shared/signup_page.ts";

/**
 * Returns what a signup tells about the page: no other query parameter, and of other sites only the origin. After a
 * single-page application has navigated, the UTM parameters are still those of the page that the visitor came to.
 */
export function signupPage(): SignupPage {
  const { pathname, search, hash, origin } = location;
  // Some routers keep the path in the fragment: `#/cart`, `#!/cart`.
  const [, route] = hash.match(/^#!?(\/[^?#]*)/) ?? [];
  const utmOf = (query: string) => {
    const parameters = new URLSearchParams(query);
    const found = UTM_NAMES.flatMap((name) => {
      const value = parameters.get(`utm_${name}`);
      return value ? [[name, value]] : [];
    });
    return found[0] && Object.fromEntries(found);
  };
  const [landing] = performance.getEntriesByType("navigation");
  const utm = utmOf(search) ?? utmOf(new URL(landing?.name ?? origin).search);
  const referrer = document.referrer && new URL(document.referrer).origin;
  return {
    path: route ? pathname.replace(/\/$/, "") + route : pathname,
    ...referrer && referrer !== origin && { referrer },
    ...utm && { utm },
  };
}
