import type { z } from 'zod';

/** Settings as a lib declares them: a schema per environment variable; its input is the variable's text. */
export type Declarations = Readonly<Record<string, z.ZodType>>;

/** The values of a set of declarations: frozen, one per variable. */
export type SettingsOf<D extends Declarations> = { readonly [Name in keyof D]: z.output<D[Name]> };

/** The same, as a parameter of what is made from them: those without a value may be absent. */
export type EnvironmentOf<D extends Declarations> = Readonly<z.output<z.ZodObject<D>>>;

/** The metadata of a declaration, from anywhere in its chain of calls. */
export interface Declared {
  readonly description?: string;
  /** Valid values, as they are written in the environment. */
  readonly examples?: readonly string[];
  /** Never shown, not even in an error message. */
  readonly secret?: boolean;
  /** The default, before conversion. */
  readonly defaultText?: string;
  /** The setting without which it has no effect. */
  readonly needs?: string;
  /** Whether it has an effect with PostgreSQL alone. */
  readonly isForPostgres?: boolean;
  /** Of a family: its variables, by what follows the name. */
  readonly members?: Declarations;
}

/** The parts of a zod schema's definition that wrap another schema; zod documents them for library authors. */
interface Wrapper {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly defaultValue?: string;
}

/**
 * Reads the metadata of a declaration. `optional`, `default` and `transform` wrap the schema they are called on and copy no
 * metadata, so the inner schemas are read too; outer metadata takes precedence.
 */
export function declared(schema: z.ZodType): Declared {
  const { innerType, in: input, defaultValue }: Wrapper = schema.def;
  const inner = innerType ?? input;
  const own: Declared = { ...schema.meta() };
  const given = defaultValue === undefined ? {} : { defaultText: defaultValue };
  return { ...(inner === undefined ? {} : declared(inner)), ...given, ...own };
}

/** Whether a setting's value must not be shown, by its metadata or its name. */
export function isSecret(name: string, schema: z.ZodType): boolean {
  return declared(schema).secret ?? /SECRET|PASSWORD/.test(name);
}
