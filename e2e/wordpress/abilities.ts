/** Runs the plugin's abilities in WordPress. */
import assert from "node:assert/strict";
import { API_TOKEN } from "../program.ts";
import { quoted } from "./site.ts";
import type { Stage } from "./stage.ts";

/** Result of an ability, or the code and message of its error. */
type Result = { data: Record<string, unknown>; code?: undefined } | { code: string; message: string };

interface RunOptions {
  token?: string;
  /** PHP code to run first. */
  before?: string;
}

interface Ability {
  category: string;
  input: { properties?: Record<string, unknown>; required?: string[] };
  meta: { annotations: Record<string, boolean | null>; show_in_rest: boolean };
  label: string;
  description: string;
}

/** Returns functions that run and list the abilities on a stage. */
export function abilitiesOf(stage: () => Stage) {
  /** Runs an ability as WordPress does for an AI agent of the admin. */
  function run(
    name: string,
    input?: unknown,
    { token = API_TOKEN, before = "" }: RunOptions = {},
  ): Promise<Result> {
    return stage().site.php(
      `${before}
      ${token && `define( 'CFBE_API_TOKEN', ${quoted(token)} );`}
      $result = wp_get_ability( 'cfbe/${name}' )->execute( json_decode( ${
        quoted(JSON.stringify(input ?? null))
      }, true ) );
      return is_wp_error( $result )
        ? array( 'code' => $result->get_error_code(), 'message' => $result->get_error_message() )
        : array( 'data' => $result );`,
    );
  }

  async function resultOf(
    name: string,
    input?: unknown,
    options?: RunOptions,
  ): Promise<Record<string, unknown>> {
    const result = await run(name, input, options);
    assert.ok("data" in result, JSON.stringify(result));
    return result.data;
  }

  async function errorOf(name: string, input?: unknown, options?: RunOptions): Promise<[string, string]> {
    const result = await run(name, input, options);
    assert.ok("message" in result, JSON.stringify(result));
    return [result.code, result.message];
  }

  const registeredAbilities = () =>
    stage().site.php<Record<string, Ability>>(
      `$all = array();
      foreach ( wp_get_abilities() as $name => $ability ) {
        if ( 0 === strpos( $name, 'cfbe/' ) ) {
          $all[ $name ] = array(
            'category'    => $ability->get_category(),
            'input'       => $ability->get_input_schema(),
            'meta'        => $ability->get_meta(),
            'label'       => $ability->get_label(),
            'description' => $ability->get_description(),
          );
        }
      }
      return $all;`,
    );

  return { run, resultOf, errorOf, registeredAbilities };
}
