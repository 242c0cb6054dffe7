import type { VNode } from "preact";

/** Links between views of a page, each with its own URL. */
export function Tabs(
  { label, tabs }: { label: string; tabs: { title: string; href: string; current: boolean }[] },
): VNode {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ title, href, current }) => (
        <a key={href} href={href} aria-current={current ? "page" : undefined}>{title}</a>
      ))}
    </nav>
  );
}
