import { type SignupPage, UTM_NAMES } from "../../../shared/signup_page.ts";
import { visitOrigin } from "../host/visit.ts";

/** Returns what a signup tells about the page: no other query parameter, and of other sites only the origin. */
export function start(): SignupPage {
  const { pathname, hash } = location;
  // Some routers keep the path in the fragment: `#/cart`, `#!/cart`.
  const [, route] = hash.match(/^#!?(\/[^?#]*)/) ?? [];
  const from = visitOrigin();
  const referrer = from.get("referrer");
  const utm = UTM_NAMES.flatMap((name) => {
    const value = from.get(`utm_${name}`);
    return value ? [[name, value]] : [];
  });
  return {
    path: route ? pathname.replace(/\/$/, "") + route : pathname,
    ...referrer && { referrer },
    ...utm[0] && { utm: Object.fromEntries(utm) },
  };
}
