import { withArticle } from '../plural.mts';
import { hasQuery, queryName } from './lists.mts';
import { fileOf } from '../source/template.mts';
import { resourceName } from './resource-file.mts';
import { braced, constraintOf, importFrom, refsOf, type Resource } from './resource.mts';

/** Renders the controller. Either every user reads and administrators change, or each caller has their own rows. */
export function controllerFile(resource: Resource): string {
  const { kebab, pascal, plural, pluralPascal, isOwned } = resource;
  const [one = '', many = ''] = [kebab, plural].map((name) => name.replaceAll('-', ' '));
  const store = resourceName(resource);
  const owner = isOwned ? 'userId, ' : '';
  const isTakeable = resource.fields.some(({ isUnique }) => isUnique);
  const isReferring = refsOf(resource).length > 0;
  const errors = [isTakeable && 'ValueConflictError', isReferring && 'UnknownReferenceError'].filter(
    (name) => name !== false,
  );
  const guards = [isTakeable && 'unlessTaken', isReferring && 'unlessUnknown'];
  const query = hasQuery(resource) ? queryName(resource) : 'PaginationQuery';
  const aOne = withArticle(one);
  return fileOf('resource/controller.ts', {
    pascal,
    plural,
    pluralPascal,
    isOwned,
    one,
    aOne,
    whose: isOwned ? `the caller's ${many}` : `the ${many}`,
    ofOne: isOwned ? `one of the caller's ${many}` : aOne,
    store,
    query,
    auth: isOwned ? 'Caller' : 'Roles',
    contract: braced(['ById', ...(errors.length > 0 ? ['ErrorResponses'] : []), 'Returns']),
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
  const known = refs.length === 0 ? write : `unlessUnknown('${refs.join(' or ')}', ${write})`;
  return resource.fields
    .filter(({ isUnique }) => isUnique)
    .reduce(
      (inner, field) => `unlessTaken('${constraintOf(resource, field)}', '${field.name}', ${inner})`,
      known,
    );
}
