/** The preview in the block editor: the real form in a frame of its own, which counts no view and sends nothing. */
(({ components, element, i18n }) => {
  const { createElement: el, useEffect, useRef, useState } = element;
  const { __ } = i18n;
  const { server, locale } = globalThis.cfbeEditor;

  /** Height of the frame until the form is there, and at least, in CSS pixels. */
  const MIN_HEIGHT = 80;
  /** After this time, the form counts as failed. */
  const PATIENCE_MS = 15_000;
  /** Attributes that a shown form takes over while typing. */
  const LIVE = ["heading", "text", "button", "theme"];

  let settings;
  /** Fetches the server's public settings, once per editor. A failed request is not kept. */
  function fetchSettings() {
    settings ??= fetch(`${server}/cfbe.json?locale=${encodeURIComponent(locale)}`)
      .then((response) => response.ok ? response.json() : Promise.reject(new Error(response.status)))
      .catch((error) => {
        settings = undefined;
        throw error;
      });
    return settings;
  }

  /** Returns the settings with their state: `loading`, `error`, `ready`, or `unset` without a server. */
  function useSettings() {
    const [state, setState] = useState({ status: server ? "loading" : "unset" });
    const [attempt, setAttempt] = useState(0);
    useEffect(() => {
      if (!server) return;
      let unmounted = false;
      const set = (next) => unmounted || setState(next);
      set({ status: "loading" });
      fetchSettings().then((settings) => set({ status: "ready", settings }), () => set({ status: "error" }));
      return () => {
        unmounted = true;
      };
    }, [attempt]);
    return { ...state, retry: () => setAttempt(attempt + 1) };
  }

  /** Returns the attributes of `<cfbe-form>`, as `cfbe_form_markup` writes them on the page. */
  function markupOf({ form, layout, heading, text, button, theme }) {
    const source = { inline: "shortcode", form: form ? "" : "block" }[layout] ?? "block";
    return { form, source, heading, text, button, theme, loading: "eager" };
  }

  function setAttributes(target, attributes) {
    for (const [name, value] of Object.entries(attributes)) {
      if (value) target.setAttribute(name, value);
      else target.removeAttribute(name);
    }
  }

  /** Fills the frame with the form. Calls `onReady` once it is shown, and `onError` if it can't be. */
  function fill(frame, attributes, { onReady, onError }) {
    const { contentWindow: view, contentDocument: page } = frame;
    // A form token would count as a view.
    const send = view.fetch;
    view.fetch = (url, init) =>
      String(url).includes("/form-token")
        ? Promise.resolve(view.Response.json({ token: "" }))
        : send.call(view, url, init);

    // The form inherits these from the page, which is what surrounds the frame here.
    const { fontFamily, fontSize, lineHeight, color } = getComputedStyle(frame.parentElement);
    Object.assign(page.body.style, {
      margin: 0,
      display: "flow-root",
      fontFamily,
      fontSize,
      lineHeight,
      color,
    });

    const form = page.createElement("cfbe-form");
    setAttributes(form, markupOf(attributes));
    form.addEventListener("cfbe-ready", onReady);
    const script = page.createElement("script");
    // Without it, the popup could open in the editor.
    script.dataset.manual = "";
    script.dataset.storage = "none";
    script.src = `${server}/cfbe.js`;
    script.onload = () => view.cfbe?.scan();
    script.onerror = onError;
    page.body.append(form, script);

    new view.ResizeObserver(() => {
      frame.style.height = `${Math.max(MIN_HEIGHT, Math.ceil(page.body.getBoundingClientRect().height))}px`;
    }).observe(page.body);
  }

  function Frame({ attributes, onError }) {
    const frame = useRef();
    const [isReady, setReady] = useState(false);
    useEffect(() => {
      frame.current.inert = true;
      const late = setTimeout(() => isReady || onError(), PATIENCE_MS);
      return () => clearTimeout(late);
    }, [isReady]);
    useEffect(() => {
      const form = frame.current.contentDocument?.querySelector("cfbe-form");
      if (form) setAttributes(form, markupOf(attributes));
    }, LIVE.map((name) => attributes[name]));
    return el(
      "div",
      { style: { position: "relative", minHeight: MIN_HEIGHT } },
      !isReady && el(components.Spinner),
      el("iframe", {
        ref: frame,
        title: __("Preview of the signup form", "cfbe"),
        srcDoc: `<!doctype html><html lang="${locale}"><head></head><body></body></html>`,
        onLoad: () => fill(frame.current, attributes, { onReady: () => setReady(true), onError }),
        // A click selects the block.
        style: { width: "100%", height: MIN_HEIGHT, border: 0, display: "block", pointerEvents: "none" },
      }),
    );
  }

  const message = (text, ...actions) =>
    el(
      components.Placeholder,
      { icon: "email", label: __("Newsletter signup", "cfbe"), instructions: text },
      ...actions,
    );

  /** The block's content in the editor, in each state of the settings. */
  function Preview({ attributes, state: { status, settings, retry } }) {
    const [failed, setFailed] = useState(false);
    const { form, layout } = attributes;
    useEffect(() => setFailed(false), [form, layout, status]);
    if (status === "unset") {
      return message(
        __(
          "Enter the URL of your cfbe server under Settings → cfbe. Until then, visitors see nothing here.",
          "cfbe",
        ),
      );
    }
    if (status === "loading") return message(__("Loading the form…", "cfbe"), el(components.Spinner));
    if (status === "error" || failed) {
      const again = () => {
        setFailed(false);
        retry();
      };
      return message(
        i18n.sprintf(
          /* translators: %s: URL */
          __(
            "Could not load the form from %s. “Check connection” under Settings → cfbe finds the reason. Visitors may see the form nevertheless.",
            "cfbe",
          ),
          server,
        ),
        el(components.Button, { variant: "secondary", onClick: again }, __("Try again", "cfbe")),
      );
    }
    const isUnknown = form && !Object.hasOwn(settings.forms, form);
    return el(
      element.Fragment,
      {},
      isUnknown && el(
        components.Notice,
        { status: "warning", isDismissible: false },
        i18n.sprintf(
          /* translators: %s: name of a form */
          __("cfbe has no form “%s”. Visitors see the default form.", "cfbe"),
          form,
        ),
      ),
      el(Frame, { key: `${form} ${layout}`, attributes, onError: () => setFailed(true) }),
    );
  }

  globalThis.cfbeEditor = { ...globalThis.cfbeEditor, useSettings, Preview };
})(globalThis.wp);
