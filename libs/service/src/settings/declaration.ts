import type { z } from 'zod';

/** Settings as a lib declares them: a schema per environment variable, its input the variable's text. */
export type Declarations = Readonly<Record<string, z.ZodType>>;

/** What a set of declarations reads: frozen, one value per variable. */
export type SettingsOf<D extends Declarations> = { readonly [Name in keyof D]: z.output<D[Name]> };

/** What a declaration says about itself, wherever in its chain of calls it was said. */
export interface Declared {
  readonly description?: string;
  /** Texts that a reader may put into the environment as they are. */
  readonly examples?: readonly string[];
  /** Never to be shown, not even to complain about it. */
  readonly secret?: boolean;
  /** What an environment without the variable gets, before it is converted. */
  readonly defaultText?: string;
}

/** The parts of a schema's definition that wrap another schema; zod documents them for libraries. */
interface Wrapper {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly defaultValue?: string;
}

/**
 * Reads what a declaration says about itself. `optional`, `default` and `transform` wrap the schema they are
 * called on and keep no metadata, so that the inner schemas are asked too; the outer word wins.
 */
export function declared(schema: z.ZodType): Declared {
  const { innerType, in: input, defaultValue }: Wrapper = schema.def;
  const inner = innerType ?? input;
  const own: Declared = { ...schema.meta() };
  const given = defaultValue === undefined ? {} : { defaultText: defaultValue };
  return { ...(inner === undefined ? {} : declared(inner)), ...given, ...own };
}

/** Whether a setting's value must stay unseen: it says so, or its name does. */
export function isSecret(name: string, schema: z.ZodType): boolean {
  return declared(schema).secret ?? /SECRET|PASSWORD/.test(name);
}
