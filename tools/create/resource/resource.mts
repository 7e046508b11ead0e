import type { Names } from '../names.mts';
import { withArticle } from '../plural.mts';
import type { Field } from './fields.mts';
import type { Owner, Target } from './target.mts';

/** A new resource. */
export interface Resource extends Names {
  /** The application that has it: `api`. */
  readonly app: string;
  /** The plural in the path, the folder and the files: `tickets`. */
  readonly plural: string;
  /** The plural in class names: `Tickets`. */
  readonly pluralPascal: string;
  /** The table name in the database: `parking_ticket`. */
  readonly table: string;
  readonly fields: readonly Field[];
  /** The owner, to whom each row is visible; `undefined` if every user sees every row. */
  readonly owner?: Owner | undefined;
}

/** Returns the template parts for an owner. */
export function ownerParts({ owner }: Pick<Resource, 'owner'>) {
  return { isOwned: owner === 'account', isTenant: owner === 'organization', isShared: owner === undefined };
}

/** Returns the list's path: `tickets`, or `organizations/:organizationId/tickets`. */
export function pathOf({ owner, plural }: Pick<Resource, 'owner' | 'plural'>): string {
  return owner === 'organization' ? `organizations/:organizationId/${plural}` : plural;
}

/** The function that makes a valid body: `aTask`, `anInvoice`. */
export function sampleName({ pascal }: { readonly pascal: string }): string {
  const [article] = withArticle(pascal.replaceAll(/(?<=.)[A-Z]/g, ' $&')).split(' ');
  return `${article}${pascal}`;
}

/** The longest name that PostgreSQL does not cut. */
const longestName = 63;

/**
 * The name of a constraint or an index.
 *
 * @throws Error if it is too long for PostgreSQL
 */
export function storedName(...parts: readonly string[]): string {
  const name = parts.join('_');
  if (name.length > longestName)
    throw new Error(`the name ${name} has more than ${longestName} characters: choose shorter names`);
  return name;
}

/** Returns the column with the owner's id; empty without an owner. */
export function ownerColumns({ owner }: Pick<Resource, 'owner'>): string[] {
  return owner === undefined ? [] : [`${owner}_id`];
}

/** Returns the columns in a unique constraint. They include the owner, so that a conflict reveals no foreign values. */
export function uniqueColumns(
  resource: Pick<Resource, 'owner'>,
  { column }: Pick<Field, 'column'>,
): string[] {
  return [...ownerColumns(resource), column];
}

/** The unique constraint of a field. */
export function constraintOf(
  resource: Pick<Resource, 'table' | 'owner'>,
  field: Pick<Field, 'column'>,
): string {
  return storedName(resource.table, ...uniqueColumns(resource, field), 'unique');
}

/** A field that refers to a resource. */
export type RefField = Field & { readonly target: Target };

/** The fields that refer to other resources. */
export function refsOf({ fields }: Pick<Resource, 'fields'>): readonly RefField[] {
  return fields.filter((field): field is RefField => field.target !== undefined);
}

/**
 * Refuses references by which rows of an owner would reach rows of a different owner.
 *
 * @throws Error that names the reference
 */
export function refuseForeign(resource: Pick<Resource, 'fields' | 'owner'>): void {
  for (const { name, target } of refsOf(resource)) {
    const isForeign = target.owner === 'organization' || resource.owner === 'organization';
    if (isForeign && target.owner !== undefined && target.owner !== resource.owner)
      throw new Error(
        `${name}: ${target.plural} belong to an ${target.owner}, to which its own resources refer alone`,
      );
  }
}

/** Puts names in a pair of braces: `{ title, seats }`. */
export function braced(names: readonly string[]): string {
  return `{ ${names.join(', ')} }`;
}

/** An import statement with its names in the order of our lint rules; empty without names. */
export function importFrom(place: string, names: readonly (string | false)[]): string {
  const needed = names.filter((name) => name !== false);
  const sorted = needed.toSorted((a, b) => bare(a).localeCompare(bare(b), 'en', { sensitivity: 'base' }));
  return sorted.length === 0 ? '' : `import ${braced(sorted)} from '${place}';\n`;
}

function bare(name: string): string {
  return name.replace(/^type /, '');
}

/** The names of fields in a sentence. */
export function listed(fields: readonly Field[]): string {
  return new Intl.ListFormat('en').format(fields.map(({ name }) => `\`${name}\``));
}
