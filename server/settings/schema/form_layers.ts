/** Which members the layers of the settings have, and the schemas of these. */
import { z } from "zod";
import { ABOUT } from "../../platform/config/setting.ts";
import { type FormMember, type MemberLayer, valueSchema } from "./form_member.ts";
import { FORM_MEMBERS, type MemberName, membersWith } from "./form_members.ts";

type Members = typeof FORM_MEMBERS;

/** The names of the members that a layer can have. */
export type MemberOf<Layer extends MemberLayer> = {
  [Name in MemberName]: Layer extends keyof Members[Name]["in"] ? Name : never;
}[MemberName];

/** The schemas of a layer's members, by name. */
export type Shape<Layer extends MemberLayer> = {
  [Name in MemberOf<Layer>]: Layer extends keyof Members[Name]["in"] ? Members[Name]["in"][Layer] : never;
};

/** Returns the names of a layer's members, in order. */
export function membersIn<Layer extends MemberLayer>(layer: Layer): MemberOf<Layer>[] {
  return membersWith((member) => member.in[layer]) as MemberOf<Layer>[];
}

/** Returns the schemas of a layer's members, by name. */
export function shapeOf<Layer extends MemberLayer>(layer: Layer): Shape<Layer> {
  const schemas = membersIn(layer).map((name) => {
    const member: FormMember = FORM_MEMBERS[name];
    const inherited = member.in.defaults && member.in.own;
    const about = { ...member, inherited: layer === "defaults" && inherited !== undefined };
    return [name, member.in[layer]!.register(ABOUT, about)];
  });
  return Object.fromEntries(schemas) as Shape<Layer>;
}

/** A text that variants have in every language. */
type VariedText = MemberOf<"variant"> & MemberOf<"translation">;

/** Returns the names of what a variant has in one language. */
export function variedTextNames(): VariedText[] {
  return membersWith((member) => member.in.variant && member.in.translation) as VariedText[];
}

/** Returns the schemas of what a variant has in one language. */
export function variedTexts(): Pick<Shape<"variant">, VariedText> {
  const shape = shapeOf("variant");
  const schemas = variedTextNames().map((name) => [name, shape[name]]);
  return Object.fromEntries(schemas) as Pick<Shape<"variant">, VariedText>;
}

/** A member that forms inherit from the defaults. */
export type InheritedMember = MemberOf<"defaults"> & MemberOf<"own">;

/** Returns the names of the members that forms inherit from the defaults. */
export function inheritedMembers(): InheritedMember[] {
  return membersWith((member) => member.in.defaults && member.in.own) as InheritedMember[];
}

/** Returns whether the values of a member are single texts. */
export const isText = (name: MemberName): boolean => valueSchema(FORM_MEMBERS[name]) instanceof z.ZodString;

/** Returns the names of the members that are texts of their own in a translation. */
export function translatedTexts(): MemberOf<"translation">[] {
  return membersIn("translation").filter(isText);
}
