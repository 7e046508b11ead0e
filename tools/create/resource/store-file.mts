import type { Field } from './fields.mts';
import { hasQuery, queryName } from './lists.mts';
import { braced, constraintOf, importFrom, type RefField, refsOf, type Resource } from './resource.mts';

/** The store of a resource: of all callers, or of each caller's own rows. */
export function storeFile(resource: Resource): string {
  const { pascal, plural, pluralPascal, isOwned } = resource;
  const owned = ownedRefs(resource);
  const dto = hasQuery(resource)
    ? `{ type Create${pascal}, ${queryName(resource)}, type Update${pascal} }`
    : `type { Create${pascal}, Update${pascal} }`;
  return `${importFrom('@app/persistence', [
    'Database',
    owned.length > 0 && 'ForeignKeyViolationError',
    resource.fields.some(isJson) && 'jsonText',
    'type Queries',
    'statement',
  ])}import { type Slice, sortedList } from '@app/paging';
import { Injectable } from '@nestjs/common';
import ${dto} from './${plural}.dto';
import type { ${pascal}Row } from './${plural}.table';

${isOwned ? `/** The ${plural.replaceAll('-', ' ')} of accounts: what another account has is not found. */\n` : ''}@Injectable()
export class ${pluralPascal}Store {
  constructor(private readonly db: Database) {}

${methods(resource)}}

${statements(resource)}${onceEach(owned).map(requireOwn).join('')}`;
}

/** What an account may refer to only if it has it. */
export function ownedRefs(resource: Pick<Resource, 'fields' | 'isOwned'>): readonly RefField[] {
  return resource.isOwned ? refsOf(resource).filter(({ target }) => target.isOwned) : [];
}

/** One of the references to each resource. */
function onceEach(refs: readonly RefField[]): readonly RefField[] {
  return [...new Map(refs.map((ref) => [ref.target.pascal, ref])).values()];
}

function methods(resource: Resource): string {
  const { camel, pascal, fields, isOwned } = resource;
  const [parameter, given] = isOwned ? ['accountId: number, ', 'accountId, '] : ['', ''];
  const names = braced(fields.map(({ name }) => name));
  const checks = ownedRefs(resource)
    .map(({ name, target }) => `    await requireOwn${target.pascal}(db, accountId, ${name});\n`)
    .join('');
  const where = isOwned ? ".where('accountId', '=', accountId)" : '';
  return `  findById(${parameter}id: number, db: Queries = this.db): Promise<${pascal}Row | undefined> {
    return byId.first(db, { ${given}id });
  }

  /** Oldest first unless sorted, so that pages do not change while rows are added. */
  list(${parameter}slice: Slice, db: Queries = this.db.replica): Promise<${pascal}Row[]> {
    return list(db, slice, {${isOwned ? ' accountId ' : ''}});
  }

${throwsDoc(resource)}  async insert(${parameter}${names}: Create${pascal}, db: Queries = this.db): Promise<${pascal}Row> {
${checks}    return db
      .insertInto('${camel}')
      .values({ ${given}${fields.map(inserted).join(', ')}, createdAt: new Date() })
      .returningAll()
      .executeTakeFirstOrThrow();
  }

${throwsDoc(resource)}  async update(${parameter}id: number, ${names}: Update${pascal}, db: Queries = this.db): Promise<${pascal}Row | undefined> {
    const changes = { ${fields.map(changed).join(', ')} };
    if (Object.values(changes).every((value) => value === undefined)) return this.findById(${given}id, db);
${checks}    return db.updateTable('${camel}').set(changes).where('id', '=', id)${where}.returningAll().executeTakeFirst();
  }

  async remove(${parameter}id: number, db: Queries = this.db): Promise<boolean> {
    return (await remove.count(db, { ${given}id })) > 0;
  }
`;
}

function throwsDoc(resource: Resource): string {
  const unique = resource.fields
    .filter(({ isUnique }) => isUnique)
    .map((field) => `\`${constraintOf(resource, field)}\``);
  const lines = [
    ...(unique.length > 0 ? [`UniqueViolationError ${unique.join(', ')}`] : []),
    ...(refsOf(resource).length > 0 ? ['ForeignKeyViolationError'] : []),
  ];
  return lines.length === 0 ? '' : `  /** @throws ${lines.join('; ')} */\n`;
}

function statements(resource: Resource): string {
  const { camel, isOwned } = resource;
  const queries = hasQuery(resource) ? `, { queries: [${queryName(resource)}] }` : '';
  const [names, types, where] = isOwned
    ? ['accountId, ', 'accountId: number; ', ".where('accountId', '=', accountId)"]
    : ['', '', ''];
  return `const byId = statement(({ ${names}id }: { ${types}id: number }, db) =>
  db.selectFrom('${camel}').selectAll().where('id', '=', id)${where},
);

const list = sortedList((${isOwned ? '{ accountId }: { accountId: number }' : '_given'}, db) => db.selectFrom('${camel}').selectAll()${where}${queries});

const remove = statement(({ ${names}id }: { ${types}id: number }, db) =>
  db.deleteFrom('${camel}').where('id', '=', id)${where},
);
`;
}

/** The foreign key alone would permit what belongs to another account. */
export function requireOwn({ target: { camel, pascal } }: RefField): string {
  return `
const own${pascal} = statement(({ accountId, id }: { accountId: number; id: number }, db) =>
  db.selectFrom('${camel}').select('id').where('id', '=', id).where('accountId', '=', accountId),
);

/** The foreign key alone would permit the ${camel} of another account. */
async function requireOwn${pascal}(db: Queries, accountId: number, id: number | null | undefined): Promise<void> {
  if (typeof id !== 'number') return;
  if ((await own${pascal}.first(db, { accountId, id })) === undefined) throw new ForeignKeyViolationError();
}
`;
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

/** Fields that are absent stay undefined, and are not updated. */
export function changed(field: Field): string {
  const { name, type } = field;
  if (isJson(field)) return `${name}: ${name} && jsonText(${name})`;
  return type === 'timestamp' ? `${name}: typeof ${name} === 'string' ? new Date(${name}) : ${name}` : name;
}

/** Whether a field is stored as JSON. */
export function isJson({ type }: Field): boolean {
  return type === 'json' || type === 'list';
}
