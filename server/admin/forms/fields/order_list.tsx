import type { VNode } from "preact";
import { orderOf } from "../../../../shared/fields/order.ts";
import type { FieldSettings } from "../../../settings/schema/field_schema.ts";
import { type FormId, isDefaultForm } from "../../../settings/forms/form_settings.ts";
import { at } from "../../frame/ajax_body.ts";
import type { View } from "../../frame/view.ts";
import { FormContext, useForm } from "../../parts/form.tsx";
import { ListEditor } from "../../parts/list_editor.tsx";
import { OwnValue } from "../../parts/own_value.tsx";
import { titleOf } from "./field_list.tsx";

const PATH = "fields.order";
/** Titles of the parts that have a place among the fields. */
export const PART_TITLES: Readonly<Record<string, string>> = {
  email: "Email address",
  name: "Name",
  interests: "Interests",
};
/** A field that is still being named has no place yet. */
const NAMED = /^[a-z][a-z0-9_]{0,31}$/;

type Fields = readonly Pick<FieldSettings, "name" | "kind" | "label">[];

/** The order of all that a form asks for, except the consent, which is always the last. */
export function FieldOrder({ view, id }: { view: View; id: FormId }): VNode {
  const { fields: defaults, order } = view.app.settings.current().form;
  const isOwn = !isDefaultForm(id);
  const inherited = { fields: defaults, order: isOwn ? order : undefined };
  const form = useForm();
  const given = form.value("fields.fields");
  const fields = (Array.isArray(given) ? given as Fields : inherited.fields)
    .filter(({ name, kind }) => kind !== "hidden" && NAMED.test(name ?? ""));
  const titles = new Map([
    ...Object.entries(PART_TITLES),
    ...fields.map((field) => [field.name, titleOf(field)] as const),
  ]);
  const usual = orderOf(inherited.order ?? [], fields);
  return (
    <OwnValue
      path={PATH}
      label="Order"
      inherited={usual}
    >
      <OrderList fields={fields} titles={titles} />
    </OwnValue>
  );
}

/** The rows in their order, with those that the order does not name yet, such as a new field. */
function OrderList({ fields, titles }: { fields: Fields; titles: ReadonlyMap<string, string> }): VNode {
  const form = useForm();
  const given = form.value(PATH);
  const names = orderOf(Array.isArray(given) ? given.map(String) : [], fields);
  const value = (wanted: string) =>
    wanted === PATH
      ? names
      : wanted.startsWith(`${PATH}.`)
      ? at(names, wanted.slice(PATH.length + 1))
      : form.value(wanted);
  return (
    <FormContext.Provider value={{ ...form, value }}>
      <ListEditor
        path={PATH}
        legend="Order"
        ordered
        empty=""
        titleOf={(name) => titles.get(String(name)) ?? String(name)}
        row={(path, index) => (
          <>
            <input type="hidden" name={path} value={names[index]} />
            <p>{titles.get(names[index]!)}</p>
          </>
        )}
      />
      <p class="help">What is turned off above is not shown. The consent checkbox always comes last.</p>
    </FormContext.Provider>
  );
}
