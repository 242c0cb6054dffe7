import type { VNode } from "preact";
import type { Experiment, Variant } from "../../../settings/experiment_schema.ts";
import { FORM_TEXTS, formTexts } from "../../../settings/form_texts.ts";
import { Card } from "../../parts/card.tsx";
import { Table } from "../../parts/table.tsx";
import { languageName } from "../language_name.ts";
import { PRESET_LABELS } from "./design_texts.ts";
import { NAME_OPTIONS, optionLabel } from "./field_options.ts";
import { textLabel } from "./text_fields.tsx";

/** What the variants of an experiment show. */
export function Variants({ variants }: Pick<Experiment, "variants">): VNode {
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  return (
    <Card title="Variants" lead="What each variant shows in place of the form’s own values.">
      <Table
        caption="What each variant shows"
        rows={variants}
        keyOf={({ id }) => id}
        columns={[
          { title: "Variant", cell: ({ name }) => name },
          {
            title: "Visitors",
            number: true,
            compact: true,
            cell: ({ weight }) => SHARE.format(weight / total),
          },
          { title: "Shows", compact: true, cell: Shown },
        ]}
      />
    </Card>
  );
}

const SHARE = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

function Shown(variant: Variant): VNode | string {
  if (variant.hidden) return "No form";
  const lines = differencesOf(variant);
  if (lines.length === 0) return "The form as it is";
  return <>{lines.map(([label, value]) => <p key={label}>{label}: {value}</p>)}</>;
}

/** Returns what a variant has in place of its form's values, each with its label. */
function differencesOf({ overrides }: Variant): [label: string, value: string][] {
  const { nameField, design, locales = {} } = overrides;
  const textsOf = (texts: Variant["overrides"], label: (name: string) => string) =>
    FORM_TEXTS.flatMap((name): [string, string][] => {
      const text = formTexts(texts)[name];
      return text === undefined ? [] : [[label(textLabel(name)), text === "" ? "none" : `“${text}”`]];
    });
  return [
    ...textsOf(overrides, (name) => name),
    ...Object.entries(locales).flatMap(([locale, texts]) =>
      textsOf(texts, (name) => `${name} (${languageName(locale)})`)
    ),
    ...(nameField === undefined
      ? []
      : [["Name field", optionLabel(NAME_OPTIONS, nameField)] as [string, string]]),
    ...(design === undefined
      ? []
      : [["Design", design.preset ? PRESET_LABELS[design.preset] : "its own"] as [string, string]]),
  ];
}
