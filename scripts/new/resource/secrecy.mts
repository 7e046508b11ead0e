import ts from 'typescript';
import type { Draft } from '../draft.mts';
import { addElement, declared, inTurn, parse, type SourceEdit } from '../field/syntax.mts';
import type { FieldType } from './field-type.mts';
import type { Field } from './fields.mts';
import { insertAmong, prependToList } from './insert.mts';
import { type RefField, refsOf, type Resource, sampleName } from './resource.mts';

/** The classification of every column. */
export const secrecy = 'libs/persistence/testing/secrecy.ts';
/** The spec that calls every route. */
export const leaks = 'apps/api/test/leaks.spec.ts';

/** By type: a value that is different for each call, where the type has so many. */
const FRESH: Readonly<Record<FieldType, (field: Field, camel: string) => string>> = {
  text: ({ name }) => `fresh('${name}')`,
  integer: () => '(serial += 1)',
  boolean: () => 'true',
  timestamp: () => 'new Date((serial += 1)).toISOString()',
  date: () => 'new Date(Date.UTC(2026, 0, (serial += 1))).toISOString().slice(0, 10)',
  decimal: () => '`${(serial += 1)}.50`',
  json: ({ name }) => `{ ${name}: fresh('${name}') }`,
  list: ({ parts = [] }, camel) => `[{ ${parts.map((part) => freshMember(part, camel)).join(', ')} }]`,
  'one-of': ({ choices }) => `'${choices[0]}'`,
  ref: ({ name }, camel) => `idIn(${referenceOf(name, camel)}.headers)`,
};

/** Classifies every column as open but the owner's, and declares how the routes are called. */
export function registerSecrecy(draft: Draft, resource: Resource): void {
  const { camel, plural, fields, isOwned } = resource;
  const columns = ['id', ...fields.map(({ name }) => name), 'createdAt'].map((column) => `${column}: 'open'`);
  const all = [...(isOwned ? ["accountId: 'internal'"] : []), ...columns];
  insertAmong(
    draft,
    { path: secrecy, neighbour: /^ {2}(\w+): \{[^}]*\},$/gm },
    `  ${camel}: { ${all.join(', ')} },`,
    camel,
  );
  for (const field of fields) classifyMembers(draft, field);
  for (const ref of refsOf(resource)) registerReference(draft, ref, camel);
  removeLast(draft, resource);
  const sample = fields.map((field) => freshMember(field, camel)).join(', ');
  const neighbour = /^ {8}'(?:POST|PATCH) \/[^']+': \(\) => .*,$/gm;
  insertAmong(draft, { path: leaks, neighbour }, `        'POST /${plural}': () => ({ ${sample} }),`);
  insertAmong(draft, { path: leaks, neighbour }, `        'PATCH /${plural}/:id': () => ({}),`);
}

function classifyMembers(draft: Draft, field: Field): void {
  const text = openMembersEdit(field)(parse(draft.read(secrecy)));
  if (text === undefined)
    throw new Error(`${secrecy} has no list openMembers: add the parts of ${field.name} by hand`);
  draft.write(secrecy, text);
}

/** Classifies the members of a list of parts, which may have the name of a column that is not open. */
export function openMembersEdit({ parts = [] }: Field): SourceEdit {
  return inTurn(...parts.map(({ name }) => openMemberEdit(name)));
}

function openMemberEdit(name: string): SourceEdit {
  return (source) => {
    const list = declared(source, ts.isVariableDeclaration, 'openMembers')?.initializer;
    const elements = list && ts.isArrayLiteralExpression(list) ? list.elements : undefined;
    return addElement(source, elements, `'${name}'`, { key: name });
  };
}

/** A member of a body, with a value of its own for each call. */
export function freshMember(field: Field, camel: string): string {
  return `${field.name}: ${FRESH[field.type](field, camel)}`;
}

/** What is referred to is removed last, since what refers to it is deleted with it. */
export function removeLast(draft: Draft, resource: Resource): void {
  const targets = new Set(refsOf(resource).map(({ target }) => target.plural));
  for (const plural of targets) prependToList(draft, leaks, 'last', `'DELETE /${plural}/:id'`);
  if (targets.size > 0) prependToList(draft, leaks, 'last', `'DELETE /${resource.plural}/:id'`);
}

/** The variable with the response in which a reference was created. */
function referenceOf(name: string, camel: string): string {
  return `${camel}${name.charAt(0).toUpperCase()}${name.slice(1).replace(/Id$/, '')}`;
}

/** What the body of the new resource refers to is created before the routes are called. */
export function registerReference(draft: Draft, { name, target }: RefField, camel: string): void {
  const client = target.isOwned ? 'owner.client' : 'administrator';
  const clients = '{ caller: owner.client, admin: administrator }';
  const made = `    const ${referenceOf(name, camel)} = await ${client}.post('/${target.plural}', await ${sampleName(target)}(${clients}));`;
  insertAmong(
    draft,
    { path: leaks, neighbour: /^ {4}const \w+ = await (?:owner\.client|administrator)\.post\(.*\);$/gm },
    made,
  );
  const place = `../testing/samples/${target.table.replaceAll('_', '-')}`;
  const line = `import { ${sampleName(target)} } from '${place}';`;
  if (draft.read(leaks).includes(line)) return;
  insertAmong(draft, { path: leaks, neighbour: /^import [^;]* from '(\.\.\/[^']+)';$/gm }, line, place);
}
