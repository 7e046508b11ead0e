import ts from 'typescript';
import type { Draft } from '../draft.mts';
import { readNames } from '../names.mts';
import { pluralOf } from '../plural.mts';
import { type Field, readField } from '../resource/fields.mts';
import type { Resource } from '../resource/resource.mts';
import { findTable, findTarget, tablePath } from '../resource/target.mts';
import { declared, mentions, parse } from './syntax.mts';

/**
 * Reads a resource that exists, with the fields that are to be added only.
 *
 * @param path  of the resource, or its name in the singular
 * @param given the fields, such as `dueOn:date?`
 * @throws Error for what cannot be added
 */
export function readResource(draft: Draft, path: string | undefined, given: readonly string[]): Resource {
  if (path === undefined) throw new Error('the path of a resource is missing, such as tasks');
  const table = findTable(path);
  const plural = table?.kebab === path ? (pluralOf(path) ?? path) : path;
  if (table === undefined || !draft.has(dtoPath(plural)))
    throw new Error(`there is no resource ${path}: it needs a table, and ${dtoPath(plural)}`);
  const fields = given.map((one) => readAddition(one));
  const resource = { ...table, plural, pluralPascal: readNames(plural, []).pascal, fields };
  refuseTaken(draft, resource);
  return resource;
}

/** The wire classes of a resource. */
export function dtoPath(plural: string): string {
  return `apps/api/src/${plural}/${plural}.dto.ts`;
}

/** @throws Error for no field, one that is given twice, and one that is there */
function refuseTaken(draft: Draft, { kebab, pascal, plural, fields }: Resource): void {
  if (fields.length === 0) throw new Error('a field is missing, such as dueOn:date?');
  const names = fields.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`the field ${twice} is given twice`);
  const table = declared(parse(draft.read(tablePath(kebab))), ts.isInterfaceDeclaration, `${pascal}Table`);
  const taken = names.find((name) => table !== undefined && mentions(table, name));
  if (taken !== undefined) throw new Error(`${plural} have ${taken} already`);
}

/** @throws Error for a field that the rows of the table cannot have */
function readAddition(given: string): Field {
  const field = readField(given, findTarget);
  if (field.isNullable || field.initial !== undefined || field.type === 'list') return field;
  const example = exampleOf(field);
  const byDefault = example === undefined ? '' : `give them a default, such as ${given}=${example}, or `;
  const optional = given.replace(/(:unique)?$/, '?$1');
  throw new Error(
    `${given} is required, and rows that are there already would have no value: ${byDefault}make it optional, ${optional}`,
  );
}

/** A default, if the field can have one. */
function exampleOf({ type, choices, isUnique }: Field): string | undefined {
  const examples = { integer: '0', boolean: 'false', date: '2026-01-01', decimal: '0.00', text: 'unknown' };
  const byType: Readonly<Record<string, string>> = examples;
  return isUnique ? undefined : (choices[0] ?? byType[type]);
}
