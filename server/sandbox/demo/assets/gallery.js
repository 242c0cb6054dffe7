// @ts-check
// Brings every form into the state given in the URL: it replaces `fetch` and answers in place of the server. It is a
// classic script, so that it runs before the widget.
(() => {
  const chosen = new URLSearchParams(location.search);
  const state = chosen.get("state") ?? "idle";
  const real = self.fetch;

  /** @type {Record<string, [status: number, success: boolean, text: string]>} */
  const RESPONSES = {
    pending: [200, true, "success"],
    already_active: [200, true, "alreadySubscribed"],
    rate_limited: [429, false, "rateLimited"],
    rejected: [503, false, "error"],
  };
  const ALL_FIELDS = {
    nameField: "optional",
    interests: [
      { tag: "recipes", label: "Recipes" },
      { tag: "offers", label: "Offers" },
      { tag: "events", label: "Tastings near you" },
    ],
    consent: "required",
    consentText: "I have read the [privacy policy](https://example.com/privacy) and agree to it.",
    coupon: "Subscribe and get 10% off your next order.",
  };
  /** Opens only by its button. @param {string} kind */
  const formThatOpens = (kind) => {
    const triggers = { delaySeconds: 0, scrollPercent: 1000, exitIntent: false };
    const rules = { triggers, hideDays: 1, cookieBarSelector: "", excludePaths: [] };
    return { layout: "inline", opens: { kind, ...rules } };
  };
  const KINDS = ["slide-in", "bar-top", "bar-bottom"];
  /** @type {Record<string, string>} */
  let texts = {};

  /** Returns the settings with the chosen fields, and a form of each kind. @param {any} settings */
  const forGallery = (settings) => ({
    ...settings,
    ...(chosen.get("fields") === "all" && ALL_FIELDS),
    opening: KINDS,
    forms: {
      ...settings.forms,
      ...Object.fromEntries(KINDS.map((kind) => [kind, { ...formThatOpens(kind), cfg: settings.cfg }])),
    },
  });

  self.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
    if (pathname.endsWith("/cfbe.json")) {
      const settings = await (await real(input, init)).json();
      texts = settings.texts;
      return Response.json(forGallery(settings));
    }
    if (state === "idle" || !pathname.endsWith("/subscribe")) return real(input, init);
    if (state === "offline") throw new TypeError("Failed to fetch");
    const response = RESPONSES[state];
    // A request that never completes.
    if (!response) return new Promise(() => {});
    const [status, success, text] = response;
    return Response.json({ success, code: state, message: texts[text] }, { status });
  };
  if (state === "offline") Object.defineProperty(navigator, "onLine", { value: false });

  /** Fills in a form and submits it, like a visitor. @param {Event} event `cfbe-ready` */
  const act = ({ target }) => {
    const host = /** @type {Element} */ (target);
    const inner = host.localName === "cfbe-popup" ? host.shadowRoot?.querySelector("cfbe-form") : host;
    const form = inner?.shadowRoot?.querySelector("form");
    if (!form || state === "idle") return;
    if (state !== "errors") {
      for (const input of form.querySelectorAll("input")) {
        if (input.name === "email") input.value = state === "slip" ? "ada@gmial.com" : "ada@gmail.com";
        if (input.name === "consent") input.checked = true;
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }
    }
    if (state !== "slip") form.requestSubmit();
  };
  document.addEventListener("cfbe-ready", act);

  // In the capture phase, so before the widget opens the popup: the popup takes the page's theme.
  addEventListener("click", ({ target }) => {
    const button = target instanceof Element && target.closest("[data-theme]");
    if (button) document.documentElement.dataset.theme = button.getAttribute("data-theme") ?? "";
  }, true);
  document.addEventListener("cfbe-close", () => delete document.documentElement.dataset.theme);
})();
