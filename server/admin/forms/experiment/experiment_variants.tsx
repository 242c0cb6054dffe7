import type { VNode } from "preact";
import type { FormDesign } from "../../../../shared/design/tokens.ts";
import { counted } from "../../../platform/words/counted.ts";
import type { Experiment, Variant } from "../../../settings/schema/experiment_schema.ts";
import { FORM_TEXTS, formTexts } from "../../../settings/schema/form_texts.ts";
import { Card } from "../../parts/card.tsx";
import { Table } from "../../parts/table.tsx";
import { languageName } from "../../setup/language_name.ts";
import { NEXT_PAGE } from "../after_signup.tsx";
import { PRESET_LABELS } from "../design/design_texts.ts";
import { NAME_OPTIONS, optionLabel } from "../fields/field_options.ts";
import { textLabel } from "../fields/text_fields.tsx";

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
function differencesOf({ overrides }: Variant): Line[] {
  const { nameField, design, locales = {}, successUrl, delaySeconds } = overrides;
  const textsOf = (texts: Variant["overrides"], label: (name: string) => string) =>
    FORM_TEXTS.flatMap((name): Line[] => {
      const text = formTexts(texts)[name];
      return text === undefined ? [] : [[label(textLabel(name)), text === "" ? "none" : `“${text}”`]];
    });
  return [
    ...textsOf(overrides, (name) => name),
    ...Object.entries(locales).flatMap(([locale, texts]) =>
      textsOf(texts, (name) => `${name} (${languageName(locale)})`)
    ),
    ...line("Name field", nameField && optionLabel(NAME_OPTIONS, nameField)),
    ...designLines(design),
    ...line(NEXT_PAGE, successUrl === "" ? "none: shows the message" : successUrl),
    ...line("Opens after", delaySeconds === undefined ? undefined : delayText(delaySeconds)),
  ];
}

type Line = [label: string, value: string];

const line = (label: string, value: string | undefined): Line[] =>
  value === undefined ? [] : [[label, value]];

const delayText = (seconds: number) => seconds === 0 ? "no time" : counted(seconds, "second");

function designLines(design: FormDesign = {}): Line[] {
  const { preset, accent, image, ...others } = design;
  const isOther = Object.keys(others).length > 0;
  return [
    ...line("Design", preset ? PRESET_LABELS[preset] : isOther ? "its own" : undefined),
    ...line("Color of the button", accent),
    ...line("Image", image === "none" ? "none" : image && "its own"),
  ];
}
