import type { ComponentChildren } from "preact";
import type { FieldErrors } from "../../../shared/contract.ts";
import { imagePath, sizeOfImage } from "../../../shared/design/image_id.ts";
import type { PublicDesign } from "../../../shared/design/public_design.ts";
import { orderOf } from "../../../shared/fields/order.ts";
import type { PublicForm, PublicSettings } from "../../../shared/public_settings.ts";
import { visitorPage } from "../../platform/pages/visitor_page.tsx";
import { DESIGN_PATH } from "./design_css.ts";
import { Fields } from "./fields.tsx";
import { type FilledIn, REFERRER_INPUT } from "./filled_in.ts";

export interface FormView {
  /** Public URL of the service. */
  baseUrl: string;
  /** Name of the form; absent for the default form. */
  name?: string;
  /** The settings of this form. */
  settings: PublicSettings;
  form: PublicForm | undefined;
  /** Unix milliseconds. */
  now: number;
  /** The site's time zone (IANA name). */
  zone: string;
  /** Whether the form exists, and pages do not show it. */
  off: boolean;
  cfg: string;
  token: string;
  filled: FilledIn;
  /** What is wrong, in one sentence; `fields` has the message for each invalid field. */
  notice?: string;
  fields?: FieldErrors;
  /** Shows whoever tests with the sandbox how to go on after a limit. Nobody else sees such a page. */
  limitsPage?: string;
}

/** Renders a page with the design of the form. */
function page(
  { baseUrl, name, settings: { locale, design = {} } }: Pick<FormView, "baseUrl" | "name" | "settings">,
  title: string,
  body: ComponentChildren,
): string {
  if (Object.keys(design).length === 0) return visitorPage({ baseUrl, locale, title, body });
  const query = name === undefined ? "" : `?form=${encodeURIComponent(name)}`;
  return visitorPage({
    baseUrl,
    locale,
    title,
    head: <link rel="stylesheet" href={`${baseUrl}${DESIGN_PATH}${query}`} />,
    body: (
      <>
        <Image baseUrl={baseUrl} image={design.image} />
        {body}
      </>
    ),
  });
}

/** The image of a design. One in the background is in the style sheet. */
function Image({ baseUrl, image }: { baseUrl: string; image: PublicDesign["image"] }) {
  if (!image || image.place === "background") return null;
  const { width, height } = sizeOfImage(image.id);
  return <img src={`${baseUrl}${imagePath(image.id)}`} alt={image.alt} width={width} height={height} />;
}

/**
 * Renders the form, empty or with the submitted input, with every invalid field marked. The first of them has the focus; if
 * there is none, what is wrong has it.
 */
export function formPage(view: FormView): string {
  const { settings, form, filled, notice, fields = {}, limitsPage } = view;
  const { texts } = settings;
  const heading = form?.heading ?? texts.heading;
  const button = form?.button ?? texts.button;
  const name = heading || button;
  const wrong = [...orderOf(settings.order ?? [], settings.fields ?? []), "consent"]
    .find((name) => fields[name] !== undefined);
  return page(
    view,
    notice ? `${notice} · ${name}` : name,
    <>
      {heading && <h1>{heading}</h1>}
      <p class="text">{form?.text ?? texts.text}</p>
      <Deadline {...view} />
      {notice && (
        <p class="notice" {...(!wrong && { tabindex: -1, autofocus: true })} role="alert">{notice}</p>
      )}
      {limitsPage && <LimitsHint href={limitsPage} />}
      <form method="post" aria-label={name}>
        <Fields settings={settings} filled={filled} errors={fields} focused={wrong} />
        <p class="trap" aria-hidden="true">
          <label>
            cfbe_hp <input name="cfbe_hp" tabindex={-1} autocomplete="off" />
          </label>
        </p>
        <input type="hidden" name="cfbe_token" value={view.token} />
        <input type="hidden" name="cfbe_cfg" value={view.cfg} />
        {settings.attribution && <input type="hidden" name={REFERRER_INPUT} value={filled.referrer ?? ""} />}
        <button type="submit">{button}</button>
      </form>
    </>,
  );
}

/** The date that the form counts down to, or what is shown afterwards. */
function Deadline({ form, settings: { locale }, now, zone }: FormView) {
  if (!form?.countdown) return null;
  const { end, after } = form.countdown;
  if (now >= end) return after ? <p>{after}</p> : null;
  const text = new Intl.DateTimeFormat(locale, {
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZone: zone,
    timeZoneName: "short",
  }).format(end);
  return (
    <p>
      <time datetime={new Date(end).toISOString()}>{text}</time>
    </p>
  );
}

function LimitsHint({ href }: { href: string }) {
  return (
    <p class="text" lang="en" dir="ltr">
      You are testing with the sandbox. cfbe accepts 5 signups from one IP in 10 minutes, and 3 of one mailbox
      in an hour. To go on now, <a href={href}>forget your limits</a> in the admin.
    </p>
  );
}

/** Renders the page shown after a signup, with what the widget shows. */
export function donePage(view: Pick<FormView, "baseUrl" | "name" | "settings">, message: string): string {
  const { success, successHeading, successHint } = view.settings.texts;
  // Not beside the message that someone is subscribed already, which sites can choose to show.
  if (message !== success) return page(view, message, <p class="done" role="status">{message}</p>);
  return page(
    view,
    successHeading || message,
    <div role="status">
      {successHeading && <h1>{successHeading}</h1>}
      <p class="done">{message}</p>
      {successHint && <p class="text">{successHint}</p>}
    </div>,
  );
}

/** Renders the page in place of a form that does not exist, or that pages do not show. */
export function noFormPage(view: Pick<FormView, "baseUrl" | "settings" | "off">): string {
  const { noForm, formOff } = view.settings.texts;
  const text = view.off ? formOff : noForm;
  return page(view, text, <h1>{text}</h1>);
}

/** Renders the page shown if the form could not be prepared. */
export function errorPage(baseUrl: string, locale: string, message: string): string {
  return visitorPage({
    baseUrl,
    locale,
    title: message,
    body: <p class="notice" role="alert">{message}</p>,
  });
}
