import { withArticle } from '../plural.mts';
import { hasQuery, queryName } from './lists.mts';
import { fileOf } from '../source/template.mts';
import type { Teams } from './teams.mts';
import { resourceName } from './resource-file.mts';
import { braced, constraintOf, importFrom, ownerParts, pathOf, refsOf, type Resource } from './resource.mts';

/** Renders the controller. Every user reads and administrators change, or rows belong to callers or to organizations. */
export function controllerFile(resource: Resource, teams: Teams = { teams: '', teamsModule: '' }): string {
  const { kebab, pascal, plural, pluralPascal } = resource;
  const parts = ownerParts(resource);
  const [noun = '', many = ''] = [kebab, plural].map((name) => name.replaceAll('-', ' '));
  const store = resourceName(resource);
  const owner = parts.isOwned ? 'userId, ' : parts.isTenant ? 'membership, ' : '';
  const isTakeable = resource.fields.some(({ isUnique }) => isUnique);
  const isReferring = refsOf(resource).length > 0;
  const errors = [isTakeable && 'ValueConflictError', isReferring && 'UnknownReferenceError'].filter(
    (name) => name !== false,
  );
  const guards = [isTakeable && 'unlessTaken', isReferring && 'unlessUnknown'];
  const query = hasQuery(resource) ? queryName(resource) : 'PaginationQuery';
  const aOne = withArticle(noun);
  return fileOf('resource/controller.ts', {
    pascal,
    plural,
    pluralPascal,
    ...parts,
    ...teams,
    path: pathOf(resource),
    owner,
    caller: parts.isOwned
      ? '@Caller() { userId }: SignedInUser, '
      : parts.isTenant
        ? '@Caller() { membership }: Member, '
        : '',
    byId: parts.isTenant ? `${pascal}Path` : 'ById',
    base: parts.isTenant ? `/organizations/\${membership.tenantId}/${plural}` : `/${plural}`,
    one: noun,
    aOne,
    whose: parts.isOwned
      ? `the caller's ${many}`
      : parts.isTenant
        ? `the organization's ${many}`
        : `the ${many}`,
    ofOne: parts.isOwned
      ? `one of the caller's ${many}`
      : parts.isTenant
        ? `one of the organization's ${many}`
        : aOne,
    store,
    query,
    auth: parts.isShared ? 'Roles' : 'Caller',
    contract: braced([
      ...(parts.isTenant ? [] : ['ById']),
      ...(errors.length > 0 ? ['ErrorResponses'] : []),
      'Returns',
    ]),
    paging: importFrom('@app/paging', ['Page', !hasQuery(resource) && query, 'paginate']).trimEnd(),
    service: importFrom('@app/service', [
      'ETag',
      'Idempotent',
      'IfMatch',
      'missing',
      'Transaction',
      ...errors,
      ...guards,
    ]).trimEnd(),
    dto: importFrom(`./${plural}.dto`, [
      `Create${pascal}`,
      pascal,
      parts.isTenant && `${pascal}Path`,
      hasQuery(resource) && query,
      `Update${pascal}`,
    ]).trimEnd(),
    errors: errors.join(', '),
    insert: guarded(resource, `this.${store}.insert(${owner}body, db)`),
    update: guarded(resource, `this.${store}.update(${owner}id, body, db)`),
  });
}

/** Renders a write that can violate a constraint through a caller error. */
function guarded(resource: Resource, write: string): string {
  const refs = refsOf(resource).map(({ name }) => name);
  const checked = refs.length === 0 ? write : `unlessUnknown('${refs.join(' or ')}', ${write})`;
  return resource.fields
    .filter(({ isUnique }) => isUnique)
    .reduce(
      (inner, field) => `unlessTaken('${constraintOf(resource, field)}', '${field.name}', ${inner})`,
      checked,
    );
}
