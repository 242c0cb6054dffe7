import type { VNode } from "preact";

/** Says what is missing where a browser hides the button. */
export const WithoutPasskeys = (): VNode => (
  <p class="help" data-without-passkeys>
    This browser offers no passkeys on this page. They need JavaScript and a current browser.
  </p>
);

/**
 * A button that creates or uses a passkey and submits its form, with the answer in a field. It needs JavaScript, and stays
 * hidden without it or without passkeys in the browser.
 *
 * @param use of `navigator.credentials`
 * @param options what the browser needs, or the URL that returns it
 */
export function PasskeyButton(
  { use, field, label, primary = false, options }: {
    use: "create" | "get";
    field: string;
    label: string;
    primary?: boolean;
    options: object | string;
  },
): VNode {
  const given = typeof options === "string"
    ? { "data-options-at": options }
    : { "data-options": JSON.stringify(options) };
  return (
    <>
      <input type="hidden" name={field} />
      <button
        type="submit"
        hidden
        class={primary ? "primary" : undefined}
        data-passkey={use}
        data-field={field}
        {...given}
      >
        {label}
      </button>
      <p class="help" role="status" data-passkey-status />
    </>
  );
}
