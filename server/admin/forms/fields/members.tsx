import { listOptions } from "../../parts/lists.ts";
import { Fragment, type VNode } from "preact";
import type { z } from "zod";
import type { Texts } from "../../../../shared/texts/texts.ts";
import {
  type FormSection,
  type MemberEditor,
  type MemberLayer,
  valueSchema,
} from "../../../settings/schema/form_member.ts";
import { type MemberName, membersWith } from "../../../settings/schema/form_members.ts";
import { isText } from "../../../settings/schema/form_layers.ts";
import { POPUP } from "../../../settings/forms/all_forms.ts";
import { isFormText, isInheritedEmpty } from "../../../settings/schema/form_texts.ts";
import { type FormId, isDefaultForm } from "../../../settings/forms/form_settings.ts";
import { SelectField, TextField } from "../../parts/field.tsx";
import { OwnValue } from "../../parts/own_value.tsx";
import { WithCode } from "../../parts/with_code.tsx";
import type { View } from "../../frame/view.ts";
import { ShownElsewhere } from "./shown_elsewhere.tsx";
import { AttributionFields } from "./attribution_fields.tsx";
import { defaultTexts, textHelp, textLabel } from "./text_fields.tsx";
import { FieldList } from "./field_list.tsx";
import { InterestList } from "./interests.tsx";
import { MemberInput, memberOf } from "./member_input.tsx";
import { OtherLanguages } from "../form_languages.tsx";
import { FieldOrder } from "./order_list.tsx";
import { OpensEditor } from "../opens/opens.tsx";
import { TriggerFields } from "../opens/opening_fields.tsx";
import { TargetingList } from "../opens/targeting.tsx";
import { CountdownField, ScheduleFields, StatusField } from "../status.tsx";

interface Edited {
  view: View;
  id: FormId;
}

interface EditorProps extends Edited {
  path: string;
  /** Returns the inputs for the members of a section that the value has, too. */
  inside(section: FormSection): VNode;
}

/** The inputs that rows of the table name. Texts are where their sections want them, and the title at the top of the page. */
const EDITORS: Record<MemberEditor, (props: EditorProps) => VNode | null> = {
  title: () => null,
  list: ({ view, path }) => (
    <SelectField path={path} label="List" options={listOptions(view, "Default list")} />
  ),
  texts: () => null,
  language: ({ view, path }) => <OtherLanguages view={view} path={path} />,
  interests: InterestList,
  fields: FieldList,
  order: FieldOrder,
  "page-values": AttributionFields,
  targeting: TargetingList,
  opens: OpensEditor,
  triggers: TriggerFields,
  status: StatusField,
  schedule: ScheduleFields,
  countdown: CountdownField,
  "countdown-after": ({ path }) => (
    <MemberInput
      name="countdownAfter"
      path={path}
      help={memberOf("countdownAfter").help}
      optional
    />
  ),
};

const layersOf = (id: FormId): MemberLayer[] =>
  isDefaultForm(id) ? ["defaults"] : ["own", id.name === POPUP ? "popup" : "form"];

/** The inputs for the members of a section, for all forms or for one. */
export function Members({ view, id, section }: Edited & { section: FormSection }): VNode {
  const layers = layersOf(id);
  return inputsFor(
    section,
    { view, id, at: "fields" },
    (name) => layers.some((layer) => memberOf(name).in[layer]),
  );
}

function inputsFor(
  section: FormSection,
  { at, ...edited }: Edited & { at: string },
  isWanted: (name: MemberName) => unknown,
): VNode {
  const names = membersWith((member) => member.section === section).filter(isWanted);
  return (
    <>
      {names.map((name) => (
        <Fragment key={name}>
          <Member {...edited} name={name} path={`${at}.${name}`} />
        </Fragment>
      ))}
    </>
  );
}

function Member({ view, id, name, path }: Edited & { name: MemberName; path: string }): VNode {
  const member = memberOf(name);
  const Editor = member.editor && EDITORS[member.editor];
  const help = isDefaultForm(id) ? member.help : member.helpIn?.own ?? member.help;
  const none = member.choices && member.without;
  const shape = () => (valueSchema(member) as z.ZodObject).shape;
  const { form } = view.app.settings.current();
  const inherited = isFormText(name) ? defaultTexts(view.app.settings.current())[name] : valueOf(form, name);
  const editor = Editor
    ? (
      <Editor
        view={view}
        id={id}
        path={path}
        inside={(section) => inputsFor(section, { view, id, at: path }, (each) => each in shape())}
      />
    )
    : (
      <MemberInput
        name={name}
        path={path}
        help={help && <WithCode text={help} />}
        {...none !== undefined && { none, optional: true }}
        {...isInheritedEmpty(name) && { placeholder: String(inherited) }}
      />
    );
  const below = member.in.translation && isText(name) && <Elsewhere view={view} id={id} name={name} />;
  const isInherited = !isDefaultForm(id) && (member.in.defaults || isFormText(name));
  if (!isInherited || member.ownValue === false) return <>{editor}{below}</>;
  return (
    <>
      <OwnValue path={path} label={member.label} inherited={inherited}>{editor}</OwnValue>
      {below}
    </>
  );
}

const valueOf = (values: object, name: string) => (values as Record<string, unknown>)[name];

/** Says which languages show a text, and leads to its inputs there. */
export function Elsewhere({ view, id, name, at = "" }: Edited & { name: string; at?: string }): VNode {
  const form = isDefaultForm(id) ? LOCALE_FORM : TRANSLATION_FORM;
  return (
    <div class="follows" data-follows={`elsewhere-${name}`}>
      <ShownElsewhere
        view={view}
        id={id}
        name={name}
        fieldIn={`${form}-${at}${name}`}
        keepsPlace={form === TRANSLATION_FORM}
      />
    </div>
  );
}

/** IDs of the forms with the texts in one language: of all forms, and of one. */
export const LOCALE_FORM = "locale-form";
export const TRANSLATION_FORM = "translation-form";

/** Inputs for texts of a form's own among its `texts`. */
export function OwnTexts({ view, id, names }: Edited & { names: readonly (keyof Texts)[] }): VNode {
  const texts = defaultTexts(view.app.settings.current());
  return (
    <>
      {names.map((name) => (
        <Fragment key={name}>
          <OwnValue path={`fields.texts.${name}`} label={textLabel(name)} inherited={texts[name]}>
            <TextField
              path={`fields.texts.${name}`}
              label={textLabel(name)}
              help={textHelp(name)}
              placeholder={texts[name]}
            />
          </OwnValue>
          <Elsewhere view={view} id={id} name={name} at="texts-" />
        </Fragment>
      ))}
    </>
  );
}
