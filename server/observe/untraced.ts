import { context, trace, TraceFlags } from "@opentelemetry/api";
import type { Fetch } from "../deps.ts";

/** A parent that nobody records; its ids only have to be well-formed. */
const UNRECORDED = trace.wrapSpanContext({
  traceId: "00000000000000000000000000000001",
  spanId: "0000000000000001",
  traceFlags: TraceFlags.NONE,
});

/**
 * A fetch that leaves no span: providers want addresses in paths, and a span names the whole path. Holds while the
 * sampler follows the parent (`OTEL_TRACES_SAMPLER=parentbased_always_on`), which `traceWarning` asks for.
 */
export function untraced(fetch: Fetch): Fetch {
  return (input, init) => context.with(trace.setSpan(context.active(), UNRECORDED), () => fetch(input, init));
}

/** Returns why traces hold addresses all the same with this environment, and what to do; undefined if they do not. */
export function traceWarning(
  env: Record<string, string | undefined>,
  { deploy, provider }: { deploy: boolean; provider: string },
): string | undefined {
  if (deploy) {
    return provider === "sandbox"
      ? undefined
      : "Deno Deploy records every outgoing call, and the provider's API " +
        "wants addresses in its paths: they stand in the traces of your organization there. See docs/hosting.md.";
  }
  const on = env["OTEL_DENO"] === "true" || env["OTEL_DENO"] === "1";
  if (!on || /^(parentbased_|always_off)/.test(env["OTEL_TRACES_SAMPLER"] ?? "")) return undefined;
  return "Traces would hold addresses. Set OTEL_TRACES_SAMPLER=parentbased_always_on, or always_off.";
}
