import { fileOf } from '../source/template.mts';
import type { Field } from './fields.mts';
import { hasQuery, queryName } from './lists.mts';
import {
  braced,
  constraintOf,
  importFrom,
  ownerParts,
  type RefField,
  refsOf,
  type Resource,
} from './resource.mts';

/** Renders the store, which serves all callers, each caller's own rows, or each organization's rows. */
export function storeFile(resource: Resource): string {
  const { camel, pascal, plural, pluralPascal, fields } = resource;
  const parts = ownerParts(resource);
  const owned = ownedRefs(resource);
  const [isListed, query] = [hasQuery(resource), queryName(resource)];
  const checks = owned.map(
    ({ name, target }) => `    await requireOwn${target.pascal}(db, accountId, ${name});`,
  );
  return fileOf('resource/store.ts', {
    camel,
    pascal,
    plural,
    pluralPascal,
    ...parts,
    owner: parts.isOwned ? 'accountId: number, ' : parts.isTenant ? 'membership: Membership, ' : '',
    own: parts.isOwned ? 'accountId, ' : parts.isTenant ? 'membership, ' : '',
    on: parts.isTenant ? 'db.for(membership)' : 'db',
    isListed,
    query,
    many: plural.replaceAll('-', ' '),
    persistence: importFrom('@app/persistence', [
      'Database',
      owned.length > 0 && 'ForeignKeyViolationError',
      fields.some(isJson) && 'jsonText',
      parts.isTenant && 'type Membership',
      'type Queries',
      'statement',
    ]).trimEnd(),
    dto: isListed
      ? `{ type Create${pascal}, ${query}, type Update${pascal} }`
      : `type { Create${pascal}, Update${pascal} }`,
    names: braced(fields.map(({ name }) => name)),
    throws: thrownBy(resource),
    checks: checks.join('\n'),
    inserted: fields.map(inserted).join(', '),
    changed: fields.map(changed).join(', '),
    requireOwn: onceEach(owned).map(requireOwn).join(''),
  });
}

/** Returns the references that must point to rows in the same account. */
export function ownedRefs(resource: Pick<Resource, 'fields' | 'owner'>): readonly RefField[] {
  return resource.owner === 'account'
    ? refsOf(resource).filter(({ target }) => target.owner === 'account')
    : [];
}

/** Keeps a single reference to each resource. */
function onceEach(refs: readonly RefField[]): readonly RefField[] {
  return [...new Map(refs.map((ref) => [ref.target.pascal, ref])).values()];
}

function thrownBy(resource: Resource): string {
  const unique = resource.fields
    .filter(({ isUnique }) => isUnique)
    .map((field) => `\`${constraintOf(resource, field)}\``);
  return [
    ...(unique.length > 0 ? [`UniqueViolationError ${unique.join(', ')}`] : []),
    ...(refsOf(resource).length > 0 ? ['ForeignKeyViolationError'] : []),
  ].join('; ');
}

/** Renders the ownership check, because the foreign key alone would accept rows that belong to a different account. */
export function requireOwn({ target: { camel, pascal } }: RefField): string {
  return fileOf('resource/require-own.ts', { camel, pascal });
}

/** A member of a row to insert. */
export function inserted(field: Field): string {
  const { name, type, isNullable } = field;
  if (isJson(field))
    return `${name}: ${isNullable ? `${name} ? jsonText(${name}) : null` : `jsonText(${name})`}`;
  if (type === 'timestamp')
    return `${name}: ${isNullable ? `${name} ? new Date(${name}) : null` : `new Date(${name})`}`;
  return isNullable ? `${name}: ${name} ?? null` : name;
}

/** Renders a changed member. An absent field stays undefined and is not updated. */
export function changed(field: Field): string {
  const { name, type } = field;
  if (isJson(field)) return `${name}: ${name} && jsonText(${name})`;
  return type === 'timestamp' ? `${name}: typeof ${name} === 'string' ? new Date(${name}) : ${name}` : name;
}

/** Whether a field is stored as JSON. */
export function isJson({ type }: Field): boolean {
  return type === 'json' || type === 'list';
}
