import type { VNode } from "preact";
import type { FormDesign } from "../../../../shared/design/tokens.ts";
import { counted } from "../../../platform/words/counted.ts";
import type { Experiment, Variant } from "../../../settings/schema/experiment_schema.ts";
import { memberTitle } from "../../../settings/schema/form_member.ts";
import type { MemberName } from "../../../settings/schema/form_members.ts";
import { membersIn } from "../../../settings/schema/form_layers.ts";
import { isFormText } from "../../../settings/schema/form_texts.ts";
import type { DraftedId } from "../../../settings/forms/form_drafts.ts";
import { minuteText } from "../../frame/dates.ts";
import type { View } from "../../frame/view.ts";
import { formPath } from "../../parts/form_path.ts";
import { Card } from "../../parts/card.tsx";
import { Table } from "../../parts/table.tsx";
import { languageName } from "../../../platform/words/language_name.ts";
import { memberOf, memberText } from "../fields/member_input.tsx";
import { DESIGN_LABELS } from "../../../settings/schema/design_schema.ts";
import { designValueText, PRESET_LABELS } from "../design/design_texts.ts";

/** What the variants of an experiment show. */
export function Variants({ view, id, variants, kept }: Pick<Experiment, "variants" | "kept"> & {
  view: View;
  id: DraftedId;
}): VNode {
  const isOver = kept !== undefined;
  return (
    <Card
      title="Variants"
      lead={isOver
        ? "What each variant showed in place of the form’s values of that time."
        : "What each variant shows in place of the form’s own values."}
    >
      <Table
        caption={`What each variant ${isOver ? "showed" : "shows"}`}
        rows={variants}
        keyOf={({ id }) => id}
        columns={[
          {
            title: "Variant",
            cell: ({ id: variant, name }) => <a href={view.href(formPath(id.name, { variant }))}>{name}</a>,
          },
          {
            title: "Visitors",
            number: true,
            compact: true,
            cell: (variant) => shareText({ variants }, variant),
          },
          {
            title: isOver ? "Showed" : "Shows",
            compact: true,
            cell: (variant) => <Shown variant={variant} unchanged="The form, unchanged" />,
          },
        ]}
      />
    </Card>
  );
}

const SHARE = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

/** Returns the share of the visitors that see a variant. */
export function shareText({ variants }: Pick<Experiment, "variants">, { weight }: Variant): string {
  return SHARE.format(weight / variants.reduce((sum, each) => sum + each.weight, 0));
}

function Shown({ variant, unchanged }: { variant: Variant; unchanged: string }): VNode {
  if (variant.hidden) return <>No form</>;
  const lines = differencesOf(variant);
  if (lines.length === 0) return <>{unchanged}</>;
  return <>{lines.map(([label, value]) => <p key={label}>{label}: {value}</p>)}</>;
}

/** Returns what a variant has in place of its form's values, each with its label. */
export function differencesOf({ overrides: { locales = {}, ...overrides } }: Variant): Line[] {
  const texts = Object.entries(locales).flatMap(([locale, texts]) =>
    linesOf(texts, (name) => `${name} (${languageName(locale)})`)
  );
  const [own, others] = [true, false].map((isText) =>
    Object.fromEntries(Object.entries(overrides).filter(([name]) => isFormText(name) === isText))
  );
  return [...linesOf(own!), ...texts, ...linesOf(others!)];
}

/** Returns the lines for members, in the order of the table. */
function linesOf(overrides: Variant["overrides"], label = (name: string) => name): Line[] {
  return membersIn("variant").flatMap((name): Line[] => {
    const value = overrides[name];
    if (value === undefined) return [];
    if (name === "design") return designLines(overrides.design);
    return [[label(memberTitle(memberOf(name))), textOf(name, value)]];
  });
}

function textOf(name: MemberName, value: unknown): string {
  if (value === "") return name === "successUrl" ? "none: shows the message" : "none";
  if (name === "delaySeconds") return delayText(value as number);
  if (name === "countdown") return minuteText(String(value));
  return isFormText(name) ? `“${value}”` : memberText(name, value);
}

type Line = [label: string, value: string];

const line = (label: string, value: string | undefined): Line[] =>
  value === undefined ? [] : [[label, value]];

const delayText = (seconds: number) => seconds === 0 ? "no time" : counted(seconds, "second");

function designLines(design: FormDesign = {}): Line[] {
  const { preset, accent, image, ...others } = design;
  return [
    ...line("Design", preset && PRESET_LABELS[preset]),
    ...line("Color of the button", accent),
    ...Object.entries(others).flatMap(([name, value]) =>
      line(DESIGN_LABELS[name as keyof typeof others], designValueText(name, value) ?? `${value}`)
    ),
    ...line("Image", image === "none" ? "none" : image && "its own"),
  ];
}
