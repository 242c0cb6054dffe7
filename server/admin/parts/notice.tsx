import { type IconName } from "../frame/icon_shapes.ts";
import type { ComponentChildren, VNode } from "preact";
import { Icon } from "./icons.tsx";

export type Tone = "good" | "bad" | "warn" | "plain";

const ICONS: Record<Tone, IconName> = { good: "check", bad: "alert", warn: "alert", plain: "check" };

/** A highlighted message. */
export function Notice({ kind, children }: { kind: Tone; children: ComponentChildren }): VNode {
  return (
    <div class={`notice ${kind}`}>
      {kind !== "plain" && <Icon name={ICONS[kind]} />}
      <div>{children}</div>
    </div>
  );
}

/** A label for a state. */
export function Badge({ kind = "plain", children }: { kind?: Tone; children: ComponentChildren }): VNode {
  return <span class={`badge ${kind}`}>{children}</span>;
}
