import { Fragment, type VNode } from "preact";
import type { Color } from "../../../../shared/design/color.ts";
import { contrastFindings, designColors, presetOf } from "../../../../shared/design/palette.ts";
import {
  colorMember,
  type DesignColor,
  type FormDesign,
  inheritDesign,
  PRESETS,
  type Scheme,
  SCHEMES,
} from "../../../../shared/design/tokens.ts";
import { DESIGN_LABELS, formDesign } from "../../../settings/schema/design_schema.ts";
import { useErrorSummary } from "../../parts/error_summary.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { inputId, useForm } from "../../parts/form.tsx";
import { ContrastNotices, DESIGN_AT as AT } from "./contrast_notices.tsx";
import { PresetSample, Swatch } from "./design_sample.tsx";
import { DESIGN_CHOICES, type DesignChoice, PRESET_LABELS } from "./design_texts.ts";

/** The inputs for values of which a design has one each, in order. The presets have samples. */
const INPUTS: readonly { member: Exclude<DesignChoice, "preset">; help?: string }[] = [
  { member: "radius" },
  { member: "font", help: "Fonts on the visitor's device. Nothing is downloaded." },
  { member: "headingSize" },
  {
    member: "columns",
    help:
      "Of fields, where two fit beside each other. Choices, consents and the button take the whole width. Bars have one.",
  },
  { member: "spacing" },
];

/** What a design has whose preset says nothing about a member. */
const USUAL = { headingSize: "m", columns: 1 } as const;

const defaultOf = (
  preset: ReturnType<typeof presetOf>,
  member: typeof INPUTS[number]["member"],
): string | number => member === "headingSize" || member === "columns" ? USUAL[member] : preset[member];

/** Returns the design in the form: as entered if that is valid, and otherwise without what is not. */
function entered(value: unknown): FormDesign {
  if (typeof value !== "object" || value === null) return {};
  const members = Object.entries(value).filter(([name, member]) =>
    member !== null && formDesign.safeParse({ [name]: member }).success
  );
  return formDesign.parse(Object.fromEntries(members));
}

/**
 * The design of a form, a variant or the defaults: part of the form that saves their other settings.
 *
 * @param inherited what it begins with; undefined for the defaults
 */
export function Design({ inherited }: { inherited?: FormDesign }): VNode {
  const own = entered(useForm().value(AT));
  const design = inheritDesign(inherited, own);
  const preset = presetOf(design);
  const from = inherited && own.preset === undefined ? inherited : {};
  const choice = (labels: Readonly<Record<string, string>>, value: string) => [
    { value: "", label: `Default (${labels[value]})` },
    ...Object.entries(labels).map(([value, label]) => ({ value, label })),
  ];
  return (
    <>
      <Presets inherited={inherited} />
      <div class="colors">
        {SCHEMES.map((scheme) => (
          <Fragment key={scheme}>
            {(["accent", "background", "text"] as const).map((color) => (
              <ColorField
                key={color}
                color={color}
                scheme={scheme}
                shown={designColors(design, scheme)[color]}
              />
            ))}
          </Fragment>
        ))}
      </div>
      <Contrast design={design} />
      <p class="help">
        Leave a color empty to use the one shown in gray. Borders, secondary text, error messages and the text
        on the button are derived from these colors, with enough contrast.
      </p>
      {INPUTS.map(({ member, help }) => (
        <SelectField
          key={member}
          path={`${AT}.${member}`}
          label={DESIGN_LABELS[member]}
          optional
          options={choice(DESIGN_CHOICES[member], String(from[member] ?? defaultOf(preset, member)))}
          {...help && { help }}
        />
      ))}
      {!inherited && <KeptImage />}
    </>
  );
}

/** The presets as radio buttons with samples. */
function Presets({ inherited }: { inherited: FormDesign | undefined }): VNode {
  const form = useForm();
  const path = `${AT}.preset`;
  const value = form.value(path) ?? "";
  const chosen = !inherited && value === "classic" ? "" : value;
  const id = inputId(form, path);
  const error = form.error(path);
  const locked = form.lockedBy(path);
  useErrorSummary({ id, label: DESIGN_LABELS.preset, message: error });
  const defaultPreset = inherited?.preset ?? "classic";
  const option = (value: string, label: string, design: FormDesign) => (
    <label key={value}>
      <input
        type="radio"
        name={`o:${path}`}
        value={value}
        checked={chosen === value}
        disabled={locked !== undefined}
      />
      <PresetSample design={design} />
      <span>{label}</span>
    </label>
  );
  return (
    <fieldset class="presets" id={id} tabIndex={-1} aria-describedby={error && `${id}-error`}>
      <legend>{DESIGN_LABELS.preset}</legend>
      {option(
        "",
        inherited ? `Default (${PRESET_LABELS[defaultPreset]})` : PRESET_LABELS.classic,
        inherited ?? {},
      )}
      {PRESETS.filter((preset) => inherited || preset !== "classic")
        .map((preset) => option(preset, PRESET_LABELS[preset], { preset }))}
      {locked && <p class="fixed">Set by {locked}</p>}
      {error && <p class="error" id={`${id}-error`}>{error}</p>}
    </fieldset>
  );
}

function ColorField(
  { color, scheme, shown }: { color: DesignColor; scheme: Scheme; shown: Color },
): VNode {
  const member = colorMember(color, scheme);
  return (
    <div class="color" data-color="">
      <TextField
        path={`${AT}.${member}`}
        label={DESIGN_LABELS[member]}
        optional
        placeholder={shown}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="none"
        maxLength={9}
        sample={<Swatch color={shown} />}
      />
    </div>
  );
}

/** The colors that are hard to read. The live preview replaces them while the user types. */
function Contrast({ design }: { design: FormDesign }): VNode {
  const form = useForm();
  return (
    <div data-contrast="">
      <ContrastNotices
        findings={contrastFindings(design)}
        mayFix={(path) => !form.readOnly && form.lockedBy(path) === undefined}
      />
    </div>
  );
}

/** The image of the defaults, which is not edited here, so that saving the other values keeps it. */
function KeptImage(): VNode | null {
  const { image } = entered(useForm().value(AT));
  if (image === undefined) return null;
  if (image === "none") return <input type="hidden" name={`${AT}.image`} value="none" />;
  return (
    <>
      {Object.entries(image).map(([name, value]) => (
        <input key={name} type="hidden" name={`${AT}.image.${name}`} value={value} />
      ))}
    </>
  );
}
