import type { VNode } from "preact";

/** The fictional shop around the form. Its products are drawn as inline SVG. */

interface Coffee {
  name: string;
  from: string;
  taste: string;
  price: string;
  /** Selects the colors of the bag in the style sheet. */
  kind: "dawn" | "noon" | "dusk";
}

const COFFEES: readonly Coffee[] = [
  {
    name: "First Light",
    from: "Sidama, Ethiopia",
    taste: "Bergamot, apricot, black tea",
    price: "€ 13",
    kind: "dawn",
  },
  {
    name: "High Noon",
    from: "Huila, Colombia",
    taste: "Red apple, caramel, cocoa",
    price: "€ 12",
    kind: "noon",
  },
  {
    name: "Last Train",
    from: "Sul de Minas, Brazil",
    taste: "Hazelnut, molasses, dark chocolate",
    price: "€ 11",
    kind: "dusk",
  },
];

export function coffees(): VNode {
  return (
    <ul class="goods">
      {COFFEES.map(({ name, from, taste, price, kind }) => (
        <li key={name}>
          {bag(kind)}
          <h3>{name}</h3>
          <p class="from">{from}</p>
          <p class="taste">{taste}</p>
          <p class="price">
            {price} <span>250 g</span>
          </p>
        </li>
      ))}
    </ul>
  );
}

/** Draws a coffee bag with a label that shows the sun at the time of day in the coffee's name. */
function bag(kind: Coffee["kind"]): VNode {
  const sun = { dawn: 108, noon: 92, dusk: 118 }[kind];
  return (
    <svg class={`bag ${kind}`} viewBox="0 0 160 190" aria-hidden="true" focusable="false">
      <ellipse class="floor" cx="80" cy="178" rx="56" ry="7" />
      <path class="body" d="M38 34h84l8 132a10 10 0 0 1-10 11H40a10 10 0 0 1-10-11z" />
      <path class="side" d="M112 34h10l8 132a10 10 0 0 1-10 11h-9z" />
      <path class="fold" d="M36 20h88v18H36z" />
      <path class="tie" d="M30 30h14M116 30h14" />
      <path class="label" d="M50 72h60v66H50z" />
      <clipPath id={`sky-${kind}`}>
        <path d="M50 72h60v46H50z" />
      </clipPath>
      <circle class="sun" cx="80" cy={sun} r="15" clip-path={`url(#sky-${kind})`} />
      <path class="hill" d="M50 118h60v20H50z" />
      <path class="lines" d="M60 127h40M66 132h28" />
    </svg>
  );
}

/** Draws a cup from above, for the shop's header. */
export function cup(): VNode {
  return (
    <svg class="cup" viewBox="0 0 240 240" aria-hidden="true" focusable="false">
      <circle class="saucer" cx="116" cy="124" r="104" />
      <circle class="rim" cx="116" cy="124" r="94" />
      <path class="handle" d="M186 84l26-16a12 12 0 0 1 14 20l-24 16" />
      <circle class="china" cx="116" cy="124" r="72" />
      <circle class="coffee" cx="116" cy="124" r="61" />
      <path
        class="swirl"
        d="M82 120c0-22 20-36 38-34 20 2 32 20 28 36-4 14-20 22-34 16-12-5-14-20-4-27 9-6 19 1 18 10"
      />
    </svg>
  );
}
