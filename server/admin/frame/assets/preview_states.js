// Answers the requests of a form in the preview, and brings the form into a state like a visitor would.

/** Event that a form dispatches when it gets into a state. */
const REACHED = {
  errors: ["error"],
  busy: ["submit", "error"],
  error: ["error"],
  success: ["success", "error"],
  already: ["success", "error"],
};
/** Time that the preview's clock gains each time the widget reads it: a token that has just arrived is old enough. */
const LEAP_MS = 4000;

const { now } = performance;
let reads = 0;
performance.now = () => now.call(performance) + LEAP_MS * ++reads;

/** Answers a request of the widget in place of the server. */
export function answer(url, init, settings, state) {
  if (url.includes("/cfbe.json?")) return Promise.resolve(Response.json(settings));
  if (url.includes("/form-token?")) return Promise.resolve(Response.json({ token: `${Date.now()}.preview` }));
  if (!url.endsWith("/subscribe")) return Promise.reject(new TypeError("The preview sends nothing."));
  if (state === "busy") return new Promise(() => {});
  const { form, source } = JSON.parse(init.body);
  const own = settings.forms[form] ?? (source === "popup" ? settings.popup : undefined);
  const message = (name) => own?.texts?.[name] ?? settings.texts[name];
  const [status, body] = {
    error: [503, { success: false, code: "rejected", message: message("error") }],
    already: [200, { success: true, code: "already_active", message: message("alreadySubscribed") }],
  }[state] ?? [200, { success: true, code: "pending", message: message("success") }];
  return Promise.resolve(Response.json(body, { status }));
}

/** Goes to the second step of a form, if it shows its first one. */
export function goToSecondStep(form) {
  if (!form.matches(".step-1")) return;
  // The first step may ask for an email address.
  const email = form.querySelector("[type=email]");
  const { value } = email;
  email.value = "ada@example.com";
  form.requestSubmit();
  email.value = value;
}

/** Fills in and submits a form, so that it gets into a state. Resolves once it is in it. */
export async function bringInto(state, host, settings) {
  const form = host.shadowRoot?.querySelector("form");
  if (state === "empty" || !form) return;
  if (state === "second") return goToSecondStep(form);
  const reached = new Promise((resolve) => {
    for (const event of REACHED[state]) host.addEventListener(`cfbe-${event}`, resolve, { once: true });
  });
  if (state !== "errors") {
    const { fields = [] } = { ...settings, ...settings.forms[host.getAttribute("form")] };
    fill(form, fields);
  }
  const isFirst = form.matches(".step-1");
  form.requestSubmit();
  // The first of two steps only leads to the second.
  if (isFirst && form.matches(".step-2")) form.requestSubmit();
  await reached;
  // The form is rendered after the event.
  await new Promise((resolve) => setTimeout(resolve));
}

function fill(form, fields) {
  const filled = new Set(["cfbe_hp"]);
  for (const input of form.querySelectorAll("input[name], select")) {
    const { name, type } = input;
    if (type === "checkbox" || type === "radio") input.checked = !filled.has(name);
    else if (!filled.has(name) || input.matches("select")) input.value = sampleFor(input, fields);
    filled.add(name);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

/** Returns a value that an input accepts. */
function sampleFor({ name, type, options, min, max }, fields) {
  if (options) return options[1]?.value ?? "";
  switch (type) {
    case "email":
      return "ada@example.com";
    case "tel":
      return "+41446681800";
    case "date":
      return "2000-07-14";
    case "number":
      return min || max || "1";
  }
  const field = fields.find((each) => `fields[${each.name}]` === name);
  if (!field) return "Ada Lovelace";
  const sample = field.characters === "digits" ? "1" : "Ada";
  return sample.repeat(Math.max(1, field.min ?? 0)).slice(0, Math.max(field.min ?? 0, field.max ?? 10, 1));
}
