import { type SignupPage, UTM_NAMES } from "../../../shared/signup_page.ts";

/** Returns what a signup tells about the page: no other query parameter, and of other sites only the origin. */
export function signupPage(): SignupPage {
  const { pathname, search, origin } = location;
  const query = new URLSearchParams(search);
  const utm = UTM_NAMES.flatMap((name) => {
    const value = query.get(`utm_${name}`);
    return value ? [[name, value]] : [];
  });
  const referrer = document.referrer && new URL(document.referrer).origin;
  return {
    path: pathname,
    ...referrer && referrer !== origin && { referrer },
    ...utm.length && { utm: Object.fromEntries(utm) },
  };
}
