/** `import { loadCfbe } from "cfbe"`: loads the widget, with its types, in bundled apps. */
export { loadCfbe, type ScriptAttributes } from "./load.ts";
export type {
  Cfbe,
  CfbeCart,
  CfbeEvent,
  CfbeEventName,
  CfbeEvents,
  CfbeQueue,
  FormDetail,
  FormOptions,
  HeadlessSignup,
  MountedForm,
} from "../src/types.ts";
export type { Answer, AnswerCode, Cart, FieldName, FormSource as Source } from "../../shared/contract.ts";
