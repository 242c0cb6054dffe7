import type { VNode } from "preact";
import { DEVICE_WIDTHS, type Moment, type VisitField } from "./described_visit.ts";
import { type FieldsProps, Input, More, type Options, Row, Select } from "./visit_inputs.tsx";

const DEVICES: Options = { desktop: "Desktop", tablet: "Tablet", phone: "Phone" };
const VISITORS: Options = { new: "New", returning: "Returning" };
const MEMORIES: Options = {
  never: "never shown",
  session: "shown in this session",
  shown: "shown in an earlier session, not closed",
  closed: "closed some days ago",
  subscribed: "used to sign up, or another form was",
};
const OTHERS: Options = {
  never: "not shown in this session",
  shown: "already shown in this session",
  closed: "shown, and one was closed some hours ago",
};
const MOMENT_LABELS: Record<Moment, string> = {
  shop: "The page declares itself a shop's cart or account",
  "cookie-bar": "The cookie banner is on screen",
  dialog: "Another dialog is open",
  "inline-form": "An embedded cfbe form is on screen",
  field: "The visitor is typing in a field",
  "other-form": "Another form that opens by itself is open",
  hidden: "The tab is in the background",
  cancelled: "A script of the page cancels cfbe-beforeshow",
};

/** What most checks need: the device, and what the browser knows of the visitor. */
export function VisitorFields(props: FieldsProps): VNode {
  return (
    <>
      <Row {...props} names={["device", "visitor"]}>
        <Select {...props} name="device" label="Device" options={withWidths(DEVICES)} />
        <Select {...props} name="visitor" label="Visitor" options={VISITORS} />
      </Row>
      <Row {...props} names={["memory"]}>
        <Select {...props} name="memory" label="In this browser, the form was" options={MEMORIES} />
        <Input {...props} name="days" label="If closed: how many days ago" type="number" step="any" />
      </Row>
      <Row {...props} names={["others"]}>
        <Select
          {...props}
          name="others"
          label="Other forms that open by themselves were"
          options={OTHERS}
        />
        <Input {...props} name="hours" label="If closed: how many hours ago" type="number" step="any" />
      </Row>
    </>
  );
}

/** The rest of what targeting compares, and whether the browser may store anything. */
export function MoreVisitorFields({ zone, ...props }: FieldsProps & { zone: string }): VNode {
  return (
    <More title="More about the visitor" {...props} names={MORE_VISITOR}>
      <Input
        {...props}
        name="width"
        label="Window width (px)"
        type="number"
        step="any"
        placeholder="As device"
      />
      <Input {...props} name="language" label="Browser language" spellcheck={false} maxLength={35} />
      <Input
        {...props}
        name="landing"
        label="First page of the visit"
        spellcheck={false}
        placeholder="This page"
      />
      <Input {...props} name="referrer" label="Linking site" spellcheck={false} placeholder="google.com" />
      <Input {...props} name="pages" label="Pages in this session" type="number" step="any" />
      <Input {...props} name="time" label={`Date and time (${zone})`} type="datetime-local" />
      <Input {...props} name="total" label="Cart total" type="number" step="any" />
      <Input {...props} name="item" label="Cart item" spellcheck={false} />
      <Select
        {...props}
        name="storage"
        label="The browser may store"
        options={{ yes: "What cfbe remembers", no: "Nothing: no consent, or data-storage=none" }}
      />
      <Select
        {...props}
        name="control"
        label="Variant of the experiment"
        options={{ no: "One that shows the form", yes: "The one without a form" }}
      />
    </More>
  );
}
const MORE_VISITOR: VisitField[] = [
  "width",
  "language",
  "landing",
  "referrer",
  "pages",
  "time",
  "total",
  "item",
  "storage",
  "control",
];

/** What the visitor does, and what is on the page. */
export function PageFields(props: FieldsProps): VNode {
  const { cookieBar, fields } = props.asked;
  const { "other-form": other, "cookie-bar": banner, ...always } = MOMENT_LABELS;
  const moments = {
    nothing: "Nothing makes the form wait",
    ...always,
    ...(cookieBar && { "cookie-bar": banner }),
    ...(fields.has("others") && { "other-form": other }),
  };
  return (
    <More title="What is on the page, and what happens there" {...props} names={PAGE}>
      <Select
        {...props}
        name="has"
        label="The page has the form as"
        options={{
          snippet: "Snippet, shortcode or block",
          markup: "Your own markup",
          none: "Not at all",
        }}
      />
      <Input
        {...props}
        name="seconds"
        label="Seconds on the page, without input"
        type="number"
        step="any"
        placeholder="Enough"
      />
      <Input
        {...props}
        name="scrolled"
        label="Scrolled (%)"
        type="number"
        step="any"
        placeholder="To the end"
      />
      <Select {...props} name="moment" label="At that moment" options={moments} />
      <Select
        {...props}
        name="seen"
        label="Element of “When an element is seen”"
        options={{ yes: "In the window", no: "Not in the window" }}
      />
      <Select
        {...props}
        name="clicked"
        label="Element of “On a click”"
        options={{ no: "Not clicked", yes: "Clicked" }}
      />
    </More>
  );
}
const PAGE: VisitField[] = ["has", "seconds", "scrolled", "seen", "clicked", "moment"];

const withWidths = (devices: Options): Options =>
  Object.fromEntries(
    Object.entries(devices).map(([device, label]) => [device, `${label} (${DEVICE_WIDTHS[device]} px)`]),
  );
