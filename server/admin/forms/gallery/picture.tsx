import type { VNode } from "preact";
import { type PaletteColor, paletteOf, presetOf } from "../../../../shared/design/palette.ts";
import { type FormDesign, inheritDesign, RADII } from "../../../../shared/design/tokens.ts";
import type { FirstStep } from "../../../../shared/fields/order.ts";
import type { NewFormKind } from "../actions/new_form.ts";

const WIDTH = 240;
const HEIGHT = 150;
const PAD = 11;
const LINE = 15;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Returns where a form of a kind is on a page, for the height that its parts need. */
function boxOf(kind: NewFormKind, height: number): Box {
  const middle = (HEIGHT - height) / 2;
  switch (kind) {
    case "inline":
      return { x: 40, y: middle, width: 160, height };
    case "block":
      return { x: 0, y: middle, width: WIDTH, height };
    case "popup":
      return { x: 50, y: middle, width: 140, height };
    case "slide-in":
      return { x: 120, y: HEIGHT - height - 8, width: 112, height };
    case "promo":
      return { x: 0, y: 24, width: WIDTH, height: 30 };
    case "bar-top":
      return { x: 0, y: 0, width: WIDTH, height: 30 };
    case "bar-bottom":
      return { x: 0, y: HEIGHT - 30, width: WIDTH, height: 30 };
  }
}

const isBar = (kind: NewFormKind) => kind === "promo" || kind.startsWith("bar-");

/**
 * A sketch of a form on a page: where it is, how many fields it has, and its design. It is no preview, so ten of them cost
 * little. Hidden from screen readers: the text beside it says the same.
 */
export function Picture(
  { kind, fields, steps, design, defaults }: {
    kind: NewFormKind;
    /** How many it has besides the email address. */
    fields: number;
    steps?: FirstStep | undefined;
    design: FormDesign;
    defaults: FormDesign;
  },
): VNode {
  const look = inheritDesign(defaults, design);
  const [light, dark] = [paletteOf(look, "light"), paletteOf(look, "dark")];
  const fill = (name: PaletteColor) => `light-dark(${light[name]}, ${dark[name]})`;
  const radius = RADII[look.radius ?? presetOf(look).radius] * 6;
  // Of two steps, the first.
  const count = { button: 0, email: 1, none: fields + 1 }[steps ?? "none"];
  const height = PAD * 2 + 22 + (count + 1) * LINE + 2;
  const box = boxOf(kind, height);
  const inner = kind === "block" ? { x: 50, width: 140 } : { x: box.x + PAD, width: box.width - 2 * PAD };
  const row = (index: number) => box.y + PAD + 22 + index * LINE;
  const input = { fill: fill("input"), stroke: fill("border"), rx: radius, height: 11 };
  const button = { fill: fill("accent"), rx: radius, height: 12 };
  return (
    <svg class="picture" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <rect class="page" width={WIDTH} height={HEIGHT} />
      <Lines />
      {kind === "popup" && <rect class="behind" width={WIDTH} height={HEIGHT} />}
      <rect
        {...box}
        rx={kind === "block" || isBar(kind) ? 0 : 5}
        fill={fill("bg")}
        stroke={fill("border")}
        stroke-width="0.75"
      />
      {isBar(kind)
        ? (
          <>
            <rect x="12" y={box.y + 9} width="62" height="5" rx="2" fill={fill("fg")} />
            <rect x="12" y={box.y + 18} width="46" height="3" rx="1.5" fill={fill("muted")} />
            <rect {...input} x="104" y={box.y + 9.5} width="74" />
            <rect {...button} x="184" y={box.y + 9} width="44" />
          </>
        )
        : (
          <>
            <rect
              x={inner.x}
              y={box.y + PAD}
              width={inner.width * 0.66}
              height="7"
              rx="2"
              fill={fill("fg")}
            />
            <rect
              x={inner.x}
              y={box.y + PAD + 11.5}
              width={inner.width * 0.9}
              height="3.5"
              rx="1.75"
              fill={fill("muted")}
            />
            {Array.from(
              { length: count },
              (_, index) => <rect key={index} {...input} x={inner.x} y={row(index)} width={inner.width} />,
            )}
            <rect {...button} x={inner.x} y={row(count)} width={inner.width * 0.5} />
          </>
        )}
    </svg>
  );
}

/** The text of the page around the form. */
function Lines(): VNode {
  return (
    <>
      {[12, 24, 36, 106, 118, 130, 142].map((y, index) => (
        <rect
          key={y}
          class="line"
          x="24"
          y={y}
          width={index % 3 === 2 ? 120 : 192}
          height="4"
          rx="2"
        />
      ))}
    </>
  );
}
