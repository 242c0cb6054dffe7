// A page of the site behind the form in a preview. It is framed without scripts, so it sends nothing but the request for
// itself, and without a referrer. The page of the admin may frame only its origin, and only after it was loaded again.

import { flush } from "./editor_saves.js";

const COOKIE = "cfbe_behind";
const folder = new URL(".", location).pathname;

/** Returns the URL of the page that the user chose in this browser session, if any. */
function chosenPage() {
  const [, value] = document.cookie.match(`(?:^|; )${COOKIE}=([^;]+)`) ?? [];
  return value && decodeURIComponent(value);
}

/** Shows the chosen page in the previews of a part of the page. */
export function showBehind(root) {
  const choice = root.querySelector("[data-behind]");
  const url = chosenPage();
  if (!choice || !url) return;
  choice.querySelector("input").value = url;
  choice.querySelector("[data-behind-remove]").hidden = false;
  const stage = root.querySelector("[data-stage]");
  stage.dataset.overSite = "";
  const frame = document.createElement("iframe");
  frame.className = "behind";
  frame.title = "Your page";
  frame.setAttribute("sandbox", "");
  frame.referrerPolicy = "no-referrer";
  frame.tabIndex = -1;
  frame.ariaHidden = "true";
  frame.inert = true;
  frame.src = url;
  stage.prepend(frame);
}

async function choose(url) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  const end = url ? "" : "; Max-Age=0";
  document.cookie = `${COOKIE}=${encodeURIComponent(url)}; Path=${folder}; SameSite=Strict${secure}${end}`;
  await flush();
  location.reload();
}

/** Does what a button of the choice says. */
export function press(button) {
  const input = button.closest("[data-behind]").querySelector("input");
  if (button.matches("[data-behind-remove]")) choose("");
  else if (button.matches("[data-behind-show]") && input.reportValidity()) choose(input.value);
}

// Another origin than the settings allow, or an insecure one.
addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
  const choice = document.querySelector("[data-behind]");
  if (effectiveDirective !== "frame-src" || !choice) return;
  document.querySelector(".behind")?.remove();
  delete document.querySelector("[data-over-site]")?.dataset.overSite;
  choice.querySelector("[data-behind-refused]").hidden = false;
  choice.open = true;
});
