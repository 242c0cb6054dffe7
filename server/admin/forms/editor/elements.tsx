import type { VNode } from "preact";
import { orderOf, PLACED_PARTS } from "../../../../shared/fields/order.ts";
import { formOf } from "../../../settings/forms/all_forms.ts";
import { settingsOfForm } from "../../../settings/forms/form_settings.ts";
import type { DraftedId } from "../../../settings/forms/form_drafts.ts";
import type { Variant } from "../../../settings/schema/experiment_schema.ts";
import type { View } from "../../frame/view.ts";
import { Icon } from "../../parts/icons.tsx";
import { NO_GAPS } from "../language_gaps.ts";
import { titleOf } from "../fields/field_list.tsx";
import { IMAGE_PANEL, PANELS } from "./panels.tsx";
import { gapsInLanguage, panelsInLanguage, translatedPanels } from "./translation.tsx";
import { differingPanels, VARIANT_PANEL, variedPanels } from "./variant.tsx";

interface Element {
  /** The panel that has its settings. */
  panel: string;
  title: string;
  /** The form's field that it is, which the panel shows alone. */
  field?: string;
  /** Its name in the order of what the form asks for; absent if it has a fixed place. */
  place?: string;
  /** Whether visitors do not see it now. */
  isOff?: boolean;
}

const BEFORE = ["layout", "design", "image", "heading", "text", "countdown"];
const AFTER = ["consent", "button", "after-signup", "messages"];

/** Returns what the form consists of, from top to bottom. */
function elementsOf(view: View, id: DraftedId, variant?: Variant): Element[] {
  const settings = view.app.settings.current();
  const shown = { ...id, variant: variant?.id };
  const { order = [], fields, nameField, interests, consent } = settingsOfForm(settings, shown, []);
  const titles = new Map([...PANELS, IMAGE_PANEL].map(({ id, title }) => [id, title] as const));
  const off: Record<string, boolean> = {
    name: nameField === "hidden",
    interests: interests.length === 0,
    consent: consent === "off",
    countdown: !(variant?.overrides.countdown ?? formOf(settings, id.name)?.countdown),
  };
  const fixed = (panel: string): Element => ({
    panel,
    title: titles.get(panel)!,
    ...off[panel] && { isOff: true },
  });
  const asked = orderOf(order, fields).map((name): Element => {
    if (PLACED_PARTS.some((part) => part === name)) return { ...fixed(name), place: name };
    return {
      panel: "fields",
      title: titleOf(fields.find((field) => field.name === name)!),
      field: name,
      place: name,
    };
  });
  return [...BEFORE.map(fixed), ...asked, ...AFTER.map(fixed)];
}

interface Props {
  view: View;
  id: DraftedId;
  variant?: Variant;
  /** The language whose texts are edited; "" for those of all languages. */
  locale?: string;
}

/** Returns which panels a page can change, and in which something is its own, of a variant or of a language. */
function layerOf({ view, id, variant, locale }: Props) {
  if (locale) {
    const own = panelsInLanguage(view, id, locale, variant);
    const gaps = variant ? undefined : gapsInLanguage(view, id, locale);
    return { varied: translatedPanels(view, id, variant), own, mark: "translated", gaps };
  }
  return variant &&
    {
      varied: variedPanels(view, id),
      own: differingPanels(view, id, variant),
      mark: "differs",
      gaps: undefined,
    };
}

/**
 * The elements of a form. Each leads to its settings; those that a visitor fills in can be moved. In a variant and in a
 * language, those that differ or lack a text are marked, and nothing can be moved or added.
 */
export function Elements(props: Props): VNode {
  const { view, id, variant, locale } = props;
  const layer = layerOf(props);
  const about: Element = { panel: VARIANT_PANEL, title: "Variant" };
  const opening: Element = { panel: "opens", title: "Opens after" };
  const elements = [
    ...(variant && !locale ? [about] : []),
    ...elementsOf(view, id, variant),
    ...(layer?.varied.has(opening.panel) ? [opening] : []),
  ];
  const isSame = (panel: string) => layer && panel !== VARIANT_PANEL && !layer.varied.has(panel);
  const nameOf = ({ panel, field }: Element) => field ? `fields.${field}` : panel;
  return (
    <nav class="elements" aria-labelledby="elements-title" data-follows="elements">
      <h2 id="elements-title">Elements</h2>
      <ul>
        {elements.map((element) => {
          const { panel, title, field, place, isOff } = element;
          const { missing, toCheck } = layer?.gaps?.get(nameOf(element)) ?? NO_GAPS;
          return (
            <li key={place ?? panel} data-place={layer ? undefined : place}>
              <a href={`#${panel}`} data-select={panel} data-field={field}>
                {title} {isSame(panel) ? <small>same</small> : isOff && <small data-off="">off</small>}
                {missing > 0
                  ? <small class="differs">{missing} missing</small>
                  : toCheck > 0
                  ? <small class="differs">{toCheck} to check</small>
                  : layer?.own.has(nameOf(element)) && <small class="differs">{layer.mark}</small>}
              </a>
              {place && !layer && (
                <span class="grip" data-grip="" hidden>
                  <Icon name="grip" />
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {!layer && (
        <>
          <p>
            <a class="add-element" href="#fields" data-select="fields" data-add="">
              <Icon name="plus" /> Add a field
            </a>
          </p>
          <p>
            <a class="add-element" href="#order" data-select="order">
              <Icon name="grip" /> Order of the fields
            </a>
          </p>
          <p class="help" data-needs-script="" hidden>
            Alt + ↑ or ↓ moves a field. Esc leads from the settings back here.
          </p>
        </>
      )}
    </nav>
  );
}
