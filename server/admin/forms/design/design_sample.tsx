import type { VNode } from "preact";
import type { Color } from "../../../../shared/design/color.ts";
import { type Palette, paletteOf, presetOf } from "../../../../shared/design/palette.ts";
import { type FormDesign, RADII, SCHEMES } from "../../../../shared/design/tokens.ts";

/** Colors are attributes of SVG shapes, because the admin's policy forbids style attributes. */
export function Swatch({ color }: { color: Color }): VNode {
  return (
    <svg class="swatch" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <rect width="16" height="16" rx="3" fill={color} />
    </svg>
  );
}

const WIDTH = 76;
const HEIGHT = 64;
/** Pixels in the sample for one `em` of the form. */
const EM = 7;

/** A small form in the design, on a light and on a dark page. */
export function PresetSample({ design }: { design: FormDesign }): VNode {
  const { radius = presetOf(design).radius } = design;
  return (
    <svg viewBox={`0 0 ${2 * WIDTH} ${HEIGHT}`} aria-hidden="true">
      {SCHEMES.map((scheme, index) => (
        <Miniature
          key={scheme}
          x={index * WIDTH}
          colors={paletteOf(design, scheme)}
          corner={RADII[radius] * EM}
          page={scheme === "light" ? "#e9ebef" : "#08090b"}
        />
      ))}
    </svg>
  );
}

function Miniature(
  { x, colors, corner, page }: { x: number; colors: Palette; corner: number; page: Color },
): VNode {
  return (
    <>
      <rect x={x} width={WIDTH} height={HEIGHT} fill={page} />
      <rect x={x + 6} y={6} width={64} height={52} rx={corner * 1.2} fill={colors.bg} />
      <rect x={x + 13} y={14} width={30} height={5} rx={1.5} fill={colors.fg} />
      <rect x={x + 13} y={22} width={44} height={3} rx={1.5} fill={colors.muted} />
      <rect
        x={x + 13.5}
        y={29.5}
        width={49}
        height={8}
        rx={Math.min(corner, 4)}
        fill={colors.input}
        stroke={colors.border}
      />
      <rect x={x + 13} y={41} width={50} height={10} rx={Math.min(corner, 5)} fill={colors.accent} />
      <rect x={x + 28} y={44.5} width={20} height={3} rx={1.5} fill={colors["on-accent"]} />
    </>
  );
}
