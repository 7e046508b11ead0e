import type { z } from 'zod';

/** The settings that a lib declares: a schema per environment variable. The schema's input is the variable's text. */
export type Declarations = Readonly<Record<string, z.ZodType>>;

/** The frozen values of declared settings, with a member per variable. */
export type SettingsOf<D extends Declarations> = { readonly [Name in keyof D]: z.output<D[Name]> };

/** The same values as a parameter type. Settings without a value may be absent. */
export type EnvironmentOf<D extends Declarations> = Readonly<z.output<z.ZodObject<D>>>;

/** A declaration's metadata, set anywhere in its call chain. */
export interface Declared {
  readonly description?: string;
  /** The valid values, as they are written in the environment. */
  readonly examples?: readonly string[];
  /** Whether the value is hidden, even in error messages. */
  readonly secret?: boolean;
  /** The default, before conversion. */
  readonly defaultText?: string;
  /** The setting without which this setting has no effect. */
  readonly needs?: string;
  /** Whether the setting has an effect with PostgreSQL only. */
  readonly isForPostgres?: boolean;
  /** A family's variables, by the suffix after its name. */
  readonly members?: Declarations;
}

/** The wrapper parts in a zod schema definition; zod documents them for library authors. */
interface Wrapper {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly defaultValue?: string;
}

/**
 * Reads a declaration's metadata. `optional`, `default` and `transform` wrap the schema they are called on and copy no metadata,
 * so the inner schemas are read too; outer metadata takes precedence.
 */
export function declared(schema: z.ZodType): Declared {
  const { innerType, in: input, defaultValue }: Wrapper = schema.def;
  const inner = innerType ?? input;
  const own: Declared = { ...schema.meta() };
  const withDefault = defaultValue === undefined ? {} : { defaultText: defaultValue };
  return { ...(inner === undefined ? {} : declared(inner)), ...withDefault, ...own };
}

/** Whether a setting's value must not be shown, by its metadata or its name. */
export function isSecret(name: string, schema: z.ZodType): boolean {
  return declared(schema).secret ?? /SECRET|PASSWORD/.test(name);
}
