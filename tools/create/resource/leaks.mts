import type { Draft } from '../source/draft.mts';
import type { FieldType } from './field-type.mts';
import type { Field } from './fields.mts';
import { leaksPath } from './places.mts';
import { insertAmong, prependToList } from './insert.mts';
import { type RefField, refsOf, type Resource, sampleName } from './resource.mts';

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

/** Declares how the routes are called. An application without the spec needs nothing. */
export function addToLeaks(draft: Draft, resource: Resource): void {
  const path = leaksPath(resource);
  if (!draft.has(path)) return;
  const { camel, plural, fields } = resource;
  for (const ref of refsOf(resource)) registerReference(draft, resource, ref);
  removeLast(draft, resource);
  const sample = fields.map((field) => freshMember(field, camel)).join(', ');
  const neighbour = /^ {8}'(?:POST|PATCH) \/[^']+': \(\) => .*,$/gm;
  insertAmong(draft, { path, neighbour }, `        'POST /${plural}': () => ({ ${sample} }),`);
  insertAmong(draft, { path, neighbour }, `        'PATCH /${plural}/:id': () => ({}),`);
}

/** A member of a body, with a value of its own for each call. */
export function freshMember(field: Field, camel: string): string {
  return `${field.name}: ${FRESH[field.type](field, camel)}`;
}

/** What is referred to is removed last, since what refers to it is deleted with it. */
export function removeLast(draft: Draft, resource: Resource): void {
  const path = leaksPath(resource);
  const targets = new Set(refsOf(resource).map(({ target }) => target.plural));
  for (const plural of targets) prependToList(draft, path, 'last', `'DELETE /${plural}/:id'`);
  if (targets.size > 0) prependToList(draft, path, 'last', `'DELETE /${resource.plural}/:id'`);
}

/** The variable with the response in which a reference was created. */
function referenceOf(name: string, camel: string): string {
  return `${camel}${name.charAt(0).toUpperCase()}${name.slice(1).replace(/Id$/, '')}`;
}

/** What the body of the new resource refers to is created before the routes are called. */
export function registerReference(draft: Draft, resource: Resource, { name, target }: RefField): void {
  const path = leaksPath(resource);
  const client = target.isOwned ? 'owner.client' : 'administrator';
  const clients = '{ caller: owner.client, admin: administrator }';
  const made = `    const ${referenceOf(name, resource.camel)} = await ${client}.post('/${target.plural}', await ${sampleName(target)}(${clients}));`;
  insertAmong(
    draft,
    { path, neighbour: /^ {4}const \w+ = await (?:owner\.client|administrator)\.post\(.*\);$/gm },
    made,
  );
  const place = `../testing/samples/${target.table.replaceAll('_', '-')}`;
  const line = `import { ${sampleName(target)} } from '${place}';`;
  if (draft.read(path).includes(line)) return;
  insertAmong(draft, { path, neighbour: /^import [^;]* from '(\.\.\/[^']+)';$/gm }, line, place);
}
