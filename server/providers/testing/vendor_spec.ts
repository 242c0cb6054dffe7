/**
 * What a provider publishes about its API, for `deno task test:vendor-specs`. Each adapter exports one as `vendorSpec` from
 * `testing/vendor_spec.ts` in its folder.
 */
export interface VendorSpec {
  /** OpenAPI or Swagger files, relative to the folder of the specifications. JSON or YAML. */
  files: readonly string[];
  /** Recorded responses in VCR's format: files or folders, relative to the same folder. */
  recordings?: readonly string[];
  /** What the paths of the adapter's requests start with and those of the specification do not, such as `/v3`. */
  basePath?: string;
  /**
   * Why something is not described there, or described differently: by what the check reports, such as
   * `POST /contacts/{id} request`. A reason that is no longer needed fails the check.
   */
  reasons: Readonly<Record<string, string>>;
}
