import type { Draft } from '../source/draft.mts';
import { readNames } from '../names.mts';
import { type Field, readField } from '../resource/fields.mts';
import { readInitial } from '../resource/initial.mts';
import { dtoPath, tablePath } from '../resource/places.mts';
import { refsOf, refuseForeign, type Resource } from '../resource/resource.mts';
import { findTable, findTarget } from '../resource/target.mts';
import { mentions, parse } from '../source/syntax.mts';

/**
 * Reads an existing resource with only the fields to add.
 *
 * @param app the application
 * @param path the resource's path, or its name in the singular
 * @param additions the fields, such as `dueOn:date?`
 * @param defaults the values for existing rows, such as `priority=0`
 * @throws Error for a field that cannot be added
 */
export function readResource(
  draft: Draft,
  app: string,
  path: string | undefined,
  additions: readonly string[],
  defaults: readonly string[],
): Resource {
  if (path === undefined) throw new Error('the path of a resource is missing, such as tasks');
  const table = findTable(app, path);
  const dto = dtoPath({ app, plural: table?.plural ?? path });
  if (table === undefined || !draft.has(dto))
    throw new Error(`there is no resource ${path}: it needs a table, and ${dto}`);
  const values = readDefaults(defaults, additions);
  const fields = additions.map((addition) => readAddition(app, addition, values));
  const resource = { ...table, app, pluralPascal: readNames(table.plural, []).pascal, fields };
  refuseTaken(draft, resource);
  refuseForeign(resource);
  refuseTenantKeys(resource);
  return resource;
}

/** Refuses fields. @throws Error for a missing field, a field that is given twice, and a field that exists */
function refuseTaken(draft: Draft, resource: Resource): void {
  const { pascal, plural, fields } = resource;
  if (fields.length === 0) throw new Error('a field is missing, such as dueOn:date?');
  const names = fields.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`the field ${twice} is given twice`);
  const table = parse(draft.read(tablePath(resource))).getInterface(`${pascal}Table`);
  const taken = names.find((name) => table !== undefined && mentions(table, name));
  if (taken !== undefined) throw new Error(`${plural} have ${taken} already`);
}

/** Refuses references between tenant tables. @throws Error, because SQLite adds no key with two columns to a table */
function refuseTenantKeys(resource: Resource): void {
  const ref = refsOf(resource).find(({ target }) => target.owner === 'organization');
  if (ref !== undefined)
    throw new Error(
      `${ref.name}: SQLite cannot add a key with two columns to a table: give the reference to a new resource`,
    );
}

/** Reads a field. @throws Error for a field that existing rows cannot have, and for an unnecessary default */
function readAddition(app: string, addition: string, defaults: ReadonlyMap<string, string>): Field {
  const field = readField(addition, (path) => findTarget(app, path));
  const text = defaults.get(field.name);
  const isRequired = !field.isNullable && field.initial === undefined && field.type !== 'list';
  if (!isRequired && text !== undefined)
    throw new Error(`--default ${field.name}=${text}: ${addition} needs none, because it is not required`);
  if (!isRequired) return field;
  if (text === undefined || field.isUnique) throw new Error(noValue(addition, field));
  return { ...field, backfill: readInitial(field.type, text, field.choices) };
}

/** Explains why a required field cannot be added, and which fields can. */
function noValue(addition: string, field: Field): string {
  const example = exampleOf(field);
  const byDefault =
    example === undefined
      ? ''
      : `give those rows one by --default ${field.name}=${example}, those rows and bodies that lack it by ${addition}=${example}, or `;
  const optional = addition.replace(/(:unique)?$/, '?$1');
  return `${addition} is required, and rows that are there already would have no value: ${byDefault}make it optional, ${optional}`;
}

/**
 * Reads the defaults for existing rows, such as `priority=0`.
 *
 * @throws Error for a malformed default, or for a default without an added field
 */
function readDefaults(values: readonly string[], fields: readonly string[]): ReadonlyMap<string, string> {
  const defaults = new Map(values.map((value) => splitDefault(value)));
  const names = new Set(fields.map((field) => field.split(':', 1).join()));
  const unknown = [...defaults.keys()].find((name) => !names.has(name));
  if (unknown !== undefined) throw new Error(`--default ${unknown}: no field of this name is added`);
  return defaults;
}

function splitDefault(text: string): [string, string] {
  const [, name, value] = /^(\w+)=([^]+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new Error(`--default ${text} is not a default: name=value, such as priority=0`);
  return [name, value];
}

/** Returns an example default, if the field can have a default. */
function exampleOf({ type, choices, isUnique }: Field): string | undefined {
  const examples = { integer: '0', boolean: 'false', date: '2026-01-01', decimal: '0.00', text: 'unknown' };
  const byType: Readonly<Record<string, string>> = examples;
  return isUnique ? undefined : (choices[0] ?? byType[type]);
}
