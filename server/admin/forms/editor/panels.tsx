import type { ComponentChildren, VNode } from "preact";
import { traitsOf } from "../../../../shared/fields/kinds.ts";
import type { Texts } from "../../../../shared/texts/texts.ts";
import { formOf, opensOf, POPUP } from "../../../settings/forms/all_forms.ts";
import { settingsOfForm } from "../../../settings/forms/form_settings.ts";
import type { DraftedId } from "../../../settings/forms/form_drafts.ts";
import type { FormSection } from "../../../settings/schema/form_member.ts";
import type { MemberName } from "../../../settings/schema/form_members.ts";
import { minuteText } from "../../frame/dates.ts";
import type { View } from "../../frame/view.ts";
import { Notice } from "../../parts/notice.tsx";
import { AFTER_SIGNUP_TEXTS, CouponHelp, MissingCode, OTHER_OWN_TEXTS } from "../after_signup.tsx";
import { Design } from "../design/design.tsx";
import { consentDifference, hasUnseenConsentText, unreadConsentLinks } from "../fields/consent_notes.ts";
import { memberOf } from "../fields/member_input.tsx";
import { Members, OwnTexts } from "../fields/members.tsx";
import { TagsNote } from "../fields/tags_note.tsx";
import { StateNow } from "../status.tsx";
import { Audience } from "./audience.tsx";
import { type Step, STEPS } from "../form_steps.ts";

interface PanelProps {
  view: View;
  id: DraftedId;
}

/** A part of a form's settings. The editor shows one at a time; without JavaScript, all of them, one after another. */
export interface Panel {
  /** Its ID on the page, and the element of the form that shows it when it is selected. */
  id: string;
  step: Step;
  title: string;
  /** The section of its members, if its name is another one. */
  section?: FormSection;
  lead?(props: PanelProps): ComponentChildren;
  content(props: PanelProps): ComponentChildren;
}

/** Texts of a form's own that belong to one of its elements. */
const TEXTS_OF = {
  email: ["emailLabel", "invalidEmail", "didYouMean"],
  name: ["nameLabel", "invalidName"],
  interests: ["interestsLabel", "invalidInterests"],
  fields: ["firstNameLabel", "lastNameLabel", "phoneLabel", "countryLabel", "choose"],
  consent: ["invalidConsent"],
  button: ["next", "sending"],
  "after-signup": AFTER_SIGNUP_TEXTS,
} as const satisfies Record<string, readonly (keyof Texts)[]>;

const placed = new Set<string>(Object.values(TEXTS_OF).flat());

/** The texts that belong to no single element. */
const MESSAGES = OTHER_OWN_TEXTS.filter((name) => !placed.has(name));

/** Returns the texts of a form's own that a panel has. */
export function textsOf(panel: string): readonly (keyof Texts)[] {
  if (panel === "messages") return MESSAGES;
  return (TEXTS_OF as Partial<Record<string, readonly (keyof Texts)[]>>)[panel] ?? [];
}

/** Returns those members that a panel has. */
export const membersOf = <Name extends MemberName>(
  { id, section = id as never }: Pick<Panel, "id" | "section">,
  names: readonly Name[],
): Name[] => names.filter((name) => memberOf(name).section === section);

const texts = (names: readonly (keyof Texts)[]) => (props: PanelProps) => (
  <OwnTexts {...props} names={names} />
);
const section = (name: FormSection) => (props: PanelProps) => <Members {...props} section={name} />;

/** Returns the inputs for the members of a section, and those for the texts of the element that it is about. */
const element = (name: keyof typeof TEXTS_OF & FormSection) => (props: PanelProps): VNode => (
  <>
    {section(name)(props)}
    {texts(TEXTS_OF[name])(props)}
  </>
);

/**
 * Returns those texts of fields that a form shows, or has of its own. The labels of its own fields are in their rows.
 *
 * @param own its own texts
 */
export function textsOfFields(
  { view, id }: PanelProps,
  own: Partial<Record<keyof Texts, string | undefined>> = {},
): readonly (keyof Texts)[] {
  const settings = view.app.settings.current();
  const { fields } = settingsOfForm(settings, id, []);
  const inRows = formOf(settings, id.name)?.fields?.flatMap(({ kind }) => traitsOf(kind).label ?? []) ?? [];
  const traits = fields.map(({ kind }) => traitsOf(kind));
  const shown = new Set<string | undefined>(traits.map(({ label }) => label));
  if (traits.some(({ control }) => control === "select")) shown.add("choose");
  return TEXTS_OF.fields.filter((name) =>
    own[name] !== undefined || (shown.has(name) && !inRows.some((label) => label === name))
  );
}

/** Returns the last minute of a form, and the one that it counts down to. */
function endsOf({ view, id }: PanelProps): Record<"until" | "countdown", string | undefined> {
  const { schedule, countdown } = formOf(view.app.settings.current(), id.name) ?? {};
  return { until: schedule?.until, countdown };
}

/** The texts of the button. In a form with two steps, that of the first step comes first, as for visitors. */
function ButtonTexts(props: PanelProps): VNode {
  const { steps } = formOf(props.view.app.settings.current(), props.id.name) ?? {};
  if (!steps) return element("button")(props);
  return (
    <>
      {texts(["next"])(props)}
      {section("button")(props)}
      {texts(["sending"])(props)}
    </>
  );
}

/** Says how a form's end and its countdown belong together. The script shows another sentence when one of them changes. */
function EndAndCountdown(
  props: PanelProps & Record<EndOfCountdown, ComponentChildren>,
): VNode {
  const { until, countdown } = endsOf(props);
  const now = !until || !countdown ? "apart" : until === countdown ? "same" : "other";
  return (
    <>
      {(["apart", "same", "other"] as const).map((each) => (
        <span key={each} data-end={each} hidden={each !== now}>{props[each]}</span>
      ))}
    </>
  );
}

/** Whether a form ends with its countdown, at another time, or has only one of them. */
type EndOfCountdown = "apart" | "same" | "other";

/** The minute of the other one. The script shows it as it is changed. */
function Minute(props: PanelProps & { of: "countdown" | "until" }): VNode {
  const minute = endsOf(props)[props.of];
  return <span data-minute={props.of}>{minute && minuteText(minute)}</span>;
}

/** Leads from the end of a form to its countdown. */
function CountsDownTo(props: PanelProps): VNode {
  const link = <a href="#countdown">countdown</a>;
  return (
    <EndAndCountdown
      {...props}
      apart={<>Visitors don’t see these dates. A {link} shows them how much time is left.</>}
      same={<>The form ends with its {link}. If you change that, “Show until” changes, too.</>}
      other={
        <>
          The form’s {link} runs until <Minute {...props} of="countdown" />.
        </>
      }
    />
  );
}

/** Leads from the countdown of a form to its end. */
function EndsWith(props: PanelProps): VNode {
  const link = <a href="#status">{STEPS.publish}</a>;
  return (
    <EndAndCountdown
      {...props}
      apart={<>The form stays on pages afterwards. To end it, too, set “Show until” in “{link}”.</>}
      same={<>The form ends with its countdown, also if you change that. For another end, see “{link}”.</>}
      other={
        <>
          The form itself shows until <Minute {...props} of="until" />: change that in “{link}”.
        </>
      }
    />
  );
}

/** The panel with the image, which has a form of its own beside the others. */
export const IMAGE_PANEL = { id: "image", title: "Image" };

export const PANELS: readonly Panel[] = [
  {
    id: "layout",
    step: "design",
    title: "Layout",
    section: "placement",
    lead: ({ view, id }) =>
      id.name !== POPUP && opensOf(formOf(view.app.settings.current(), id.name)) && (
        <>
          How the form looks where your page has its snippet. How it opens by itself is in{" "}
          “<a href="#audience">{STEPS.audience}</a>”.
        </>
      ),
    content: section("placement"),
  },
  {
    id: "heading",
    step: "design",
    title: "Heading",
    lead: ({ view }) => (
      <>
        What is gray comes from the{" "}
        <a href={view.href("/form-defaults")}>form defaults</a>. Type over it to change it for this form only.
      </>
    ),
    content: section("heading"),
  },
  { id: "text", step: "design", title: "Text", content: section("text") },
  {
    id: "countdown",
    step: "design",
    title: "Countdown",
    lead: (props) => <EndsWith {...props} />,
    content: section("countdown"),
  },
  { id: "email", step: "design", title: "Email", content: texts(TEXTS_OF.email) },
  {
    id: "name",
    step: "design",
    title: "Name",
    lead: () => (
      <>
        One field for the whole name. For the first or the last name alone,{" "}
        <a href="#fields" data-select="fields" data-add="">add a field</a>.
      </>
    ),
    content: element("name"),
  },
  { id: "interests", step: "design", title: "Interests", content: element("interests") },
  {
    id: "fields",
    step: "design",
    title: "More fields",
    content: (props) => (
      <>
        {section("fields")(props)}
        {texts(textsOfFields(props, formOf(props.view.app.settings.current(), props.id.name)?.texts))(props)}
      </>
    ),
  },
  { id: "order", step: "design", title: "Order of the fields", content: section("order") },
  {
    id: "consent",
    step: "design",
    title: "Consent",
    lead: () => "The exact wording shown is stored with every signup as proof.",
    content(props) {
      const settings = props.view.app.settings.current();
      const difference = consentDifference(settings, props.id);
      const [link] = unreadConsentLinks(settings, props.id);
      return (
        <>
          <div class="follows" data-follows="consent-difference">
            {difference && <Notice kind="warn">{difference}</Notice>}
          </div>
          {section("consent")(props)}
          <div data-follows="consent-notes" role="status">
            {hasUnseenConsentText(settings, props.id) && (
              <Notice kind="warn">
                <p>Visitors don’t see this text: the form has no consent checkbox.</p>
                <button
                  type="submit"
                  class="finding"
                  name="_fill"
                  value="fields.consent=required"
                  formnovalidate
                >
                  Add a required checkbox
                </button>
              </Notice>
            )}
            {link && (
              <Notice kind="warn">
                Visitors see <code>{link}</code> as it is written. The address of a link begins with{" "}
                <code>https://</code>, directly after the brackets.
              </Notice>
            )}
          </div>
          {texts(TEXTS_OF.consent)(props)}
        </>
      );
    },
  },
  {
    id: "button",
    step: "design",
    title: "Button",
    lead: () => (
      <>
        Its color is the accent in “<a href="#design" data-select="design">Colors and style</a>”.
      </>
    ),
    content: (props) => <ButtonTexts {...props} />,
  },
  {
    id: "after-signup",
    step: "design",
    title: "After signup",
    lead: () => "What visitors see in place of the form, and where they go next.",
    content: (props) => (
      <>
        {texts(AFTER_SIGNUP_TEXTS)(props)}
        <Members {...props} section="after-signup" />
        <CouponHelp view={props.view} />
      </>
    ),
  },
  {
    id: "messages",
    step: "design",
    title: "Other texts",
    section: "content",
    lead: () => "Errors, and what screen readers hear.",
    content: (props) => (
      <>
        {section("content")(props)}
        {texts(MESSAGES)(props)}
      </>
    ),
  },
  {
    id: "design",
    step: "design",
    title: "Colors and style",
    lead: () =>
      "What you leave empty comes from the form defaults. A form with a preset of its own inherits only the image.",
    content: ({ view }) => <Design inherited={view.app.settings.current().form.design} />,
  },
  {
    id: "audience",
    step: "audience",
    title: STEPS.audience,
    content: (props) => <Audience {...props} />,
  },
  {
    id: "status",
    step: "publish",
    title: "Status",
    lead: ({ view, id }) => {
      const form = formOf(view.published ?? view.app.settings.current(), id.name)!;
      return (
        <>
          Now:{" "}
          <span data-follows="now">
            <StateNow view={view} form={form} />
          </span>{" "}
          Pages follow what you publish within a minute. Signups from pages that still show the form are
          accepted.
        </>
      );
    },
    content: (props) => (
      <>
        <MissingCode {...props} />
        <Members {...props} section="status" />
        <p class="help">
          <CountsDownTo {...props} />
        </p>
      </>
    ),
  },
  {
    id: "signups",
    step: "publish",
    title: "Signups",
    lead: () => "Where the signups of the form go, and what is kept of them.",
    content: (props) => (
      <>
        <Members {...props} section="destination" />
        <TagsNote {...props} />
        <Members {...props} section="sources" />
        <p class="help">
          The <a href={props.view.href("/form-defaults")}>form defaults</a>{" "}
          say whether the provider gets the source, too.
        </p>
      </>
    ),
  },
];
