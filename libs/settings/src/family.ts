import { z } from 'zod';
import { type Declarations, declared, type SettingsOf } from './declaration';

/** A variable set in a family. */
export type Named<D extends Declarations> = SettingsOf<D> & {
  /** The name in lower case, with dashes: `my-id` for `OIDC_MY_ID_ISSUER`. */
  readonly name: string;
};

/**
 * Declares a family of variables with any number of named sets. For `OIDC_<NAME>` with the members `ISSUER` and `CLIENT_ID`,
 * `OIDC_GOOGLE_ISSUER` and `OIDC_GOOGLE_CLIENT_ID` are a set. Any other variable that begins with `OIDC_` is an error.
 */
export function family<const D extends Declarations>(members: D) {
  return z.custom<readonly Named<D>[]>().optional().meta({ members });
}

/** Returns the declarations of single variables and families: `OIDC_<NAME>_ISSUER`. */
export function withMembers(declarations: Declarations): (readonly [name: string, schema: z.ZodType])[] {
  return Object.entries(declarations).flatMap(([name, schema]) => {
    const { members } = declared(schema);
    if (members === undefined) return [[name, schema] as const];
    return Object.entries(members).map(
      ([member, memberSchema]) => [`${name}_${member}`, memberSchema] as const,
    );
  });
}

/**
 * Finds the sets of a family in an environment.
 *
 * @param name the declaration name
 * @param variables the variables that are set
 * @returns the names in place of `<NAME>`, and the variables outside the family
 */
export function findSets(
  name: string,
  members: Declarations,
  variables: readonly string[],
): { readonly names: readonly string[]; readonly unknown: readonly string[] } {
  const start = name.slice(0, name.indexOf('<'));
  const form = new RegExp(`^${start}([A-Z][A-Z0-9_]{0,31})_(?:${Object.keys(members).join('|')})$`);
  const ofFamily = variables.filter((variable) => variable.startsWith(start));
  const names = ofFamily.flatMap((variable) => form.exec(variable)?.[1] ?? []);
  return { names: [...new Set(names)], unknown: ofFamily.filter((variable) => !form.test(variable)) };
}
