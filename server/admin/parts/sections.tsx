import type { VNode } from "preact";

/** Links to the sections of a long page, which stay in view. */
export function Sections({ sections }: { sections: Readonly<Record<string, string>> }): VNode {
  return (
    <nav class="sections" aria-label="Sections of this page">
      {Object.entries(sections).map(([id, title]) => <a key={id} href={`#${id}`}>{title}</a>)}
    </nav>
  );
}
