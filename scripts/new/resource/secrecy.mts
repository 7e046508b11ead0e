import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../workspace.mts';
import type { Field, FieldType } from './fields.mts';
import { insertAmong, prependToList } from './insert.mts';
import { type RefField, refsOf, type Resource } from './resource.mts';

const secrecy = 'libs/persistence/testing/secrecy.ts';
const leaks = 'apps/api/test/leaks.spec.ts';

/** Adds a new resource to the leak tests; to be formatted afterwards. */
export const secrecyFiles = [secrecy, leaks] as const;

/** By type: a value that is different for each call. */
const FRESH: Readonly<Record<FieldType, (field: Field, camel: string) => string>> = {
  text: ({ name }) => `fresh('${name}')`,
  integer: () => '(serial += 1)',
  boolean: () => 'true',
  timestamp: () => 'new Date((serial += 1)).toISOString()',
  date: () => 'new Date(Date.UTC(2026, 0, (serial += 1))).toISOString().slice(0, 10)',
  decimal: () => '`${(serial += 1)}.50`',
  'one-of': ({ choices }) => `'${choices[0]}'`,
  ref: ({ name }, camel) => `idIn(${referenceOf(name, camel)}.headers)`,
};

/** Classifies every column as open but the owner's, and declares how the routes are called. */
export function registerSecrecy(resource: Resource): void {
  const { camel, plural, fields, isOwned } = resource;
  const columns = ['id', ...fields.map(({ name }) => name), 'createdAt'].map((column) => `${column}: 'open'`);
  const all = [...(isOwned ? ["accountId: 'internal'"] : []), ...columns];
  insertAmong(
    { path: secrecy, neighbour: /^ {2}(\w+): \{[^}]*\},$/gm },
    `  ${camel}: { ${all.join(', ')} },`,
    camel,
  );
  for (const ref of refsOf(resource)) registerReference(ref, camel);
  removeLast(resource);
  const sample = fields.map((field) => `${field.name}: ${FRESH[field.type](field, camel)}`).join(', ');
  const neighbour = /^ {8}'(?:POST|PATCH) \/[^']+': \(\) => .*,$/gm;
  insertAmong({ path: leaks, neighbour }, `        'POST /${plural}': () => ({ ${sample} }),`);
  insertAmong({ path: leaks, neighbour }, `        'PATCH /${plural}/:id': () => ({}),`);
}

/** What is referred to is removed last, since what refers to it is deleted with it. */
function removeLast(resource: Resource): void {
  const targets = new Set(refsOf(resource).map(({ target }) => target.plural));
  for (const plural of targets) prependToList(leaks, 'last', `'DELETE /${plural}/:id'`);
  if (targets.size > 0) prependToList(leaks, 'last', `'DELETE /${resource.plural}/:id'`);
}

/** The variable with the response in which a reference was created. */
function referenceOf(name: string, camel: string): string {
  return `${camel}${name.charAt(0).toUpperCase()}${name.slice(1).replace(/Id$/, '')}`;
}

/** What the body of the new resource refers to is created before the routes are called. */
function registerReference({ name, target }: RefField, camel: string): void {
  const client = target.isOwned ? 'owner.client' : 'administrator';
  const clients = '{ caller: owner.client, admin: administrator }';
  const made = `    const ${referenceOf(name, camel)} = await ${client}.post('/${target.plural}', await a${target.pascal}(${clients}));`;
  insertAmong(
    { path: leaks, neighbour: /^ {4}const \w+ = await (?:owner\.client|administrator)\.post\(.*\);$/gm },
    made,
  );
  const place = `../testing/samples/${target.table.replaceAll('_', '-')}`;
  const line = `import { a${target.pascal} } from '${place}';`;
  if (readFileSync(join(root, leaks), 'utf8').includes(line)) return;
  insertAmong({ path: leaks, neighbour: /^import [^;]* from '(\.\.\/[^']+)';$/gm }, line, place);
}
