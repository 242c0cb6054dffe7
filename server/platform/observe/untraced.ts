import { docPage } from "../words/doc_page.ts";
import { context, trace, TraceFlags } from "@opentelemetry/api";
import type { Fetch } from "../deps.ts";

/** A parent span that is not recorded; its ids only have to be well-formed. */
const UNRECORDED = trace.wrapSpanContext({
  traceId: "00000000000000000000000000000001",
  spanId: "0000000000000001",
  traceFlags: TraceFlags.NONE,
});

/**
 * Returns a fetch that records no span, because providers expect email addresses in paths and a span contains
 * the path. It requires a sampler that follows the parent (`OTEL_TRACES_SAMPLER=parentbased_always_on`); see
 * `traceWarning`.
 */
export function untraced(fetch: Fetch): Fetch {
  return (input, init) => context.with(trace.setSpan(context.active(), UNRECORDED), () => fetch(input, init));
}

/**
 * Returns a warning if traces would contain email addresses in this environment, with what to do; otherwise
 * undefined.
 */
export function traceWarning(
  env: Record<string, string | undefined>,
  { deploy, isSandbox }: { deploy: boolean; isSandbox: boolean },
): string | undefined {
  if (deploy) {
    return isSandbox ? undefined : "Deno Deploy records every outgoing request, and the provider's API " +
      `has email addresses in its paths, so they appear in your organization's traces. See ${
        docPage("hosting")
      }.`;
  }
  const on = env["OTEL_DENO"] === "true" || env["OTEL_DENO"] === "1";
  if (!on || /^(parentbased_|always_off)/.test(env["OTEL_TRACES_SAMPLER"] ?? "")) return undefined;
  return "Traces would contain email addresses. Set OTEL_TRACES_SAMPLER=parentbased_always_on or always_off.";
}
