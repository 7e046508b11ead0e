import { withArticle } from '../plural.mts';
import { hasQuery, queryName } from './lists.mts';
import { constraintOf, importFrom, refsOf, type Resource } from './resource.mts';

/** What the routes of a resource share. */
interface Parts {
  /** `tasks`, the store in the controller. */
  readonly store: string;
  /** Decorators of routes that change something. */
  readonly guard: string;
  /** The first argument of the store's methods: the owner. */
  readonly owner: string;
  /** The parameter of handlers with the owner. */
  readonly caller: string;
  /** The errors of the handlers that write. */
  readonly refuses: string;
}

/** The controller: every user reads and administrators change, or each caller has their own. */
export function controllerFile(resource: Resource): string {
  const { pascal, plural, isOwned } = resource;
  const { isTakeable, isReferring, errors } = writeErrors(resource);
  return `${importFrom('@app/auth', [isOwned && 'Caller', !isOwned && 'Roles'])}${isOwned ? "import type { SignedInUser } from '@app/accounts';\n" : ''}${importFrom('@app/contract', ['ById', errors.length > 0 && 'ErrorResponses', 'Returns'])}${importFrom('@app/paging', ['Page', !hasQuery(resource) && 'PaginationQuery', 'paginate'])}import type { Queries } from '@app/persistence';
${importFrom('@app/service', ['ETag', 'Idempotent', 'IfMatch', 'missing', 'Transaction', ...errors, isTakeable && 'unlessTaken', isReferring && 'unlessUnknown'])}import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
${importFrom(`./${plural}.dto`, [`Create${pascal}`, pascal, hasQuery(resource) && queryName(resource), `Update${pascal}`])}import { ${resource.pluralPascal}Store } from './${plural}.store';
import type { ${pascal}Row } from './${plural}.table';

${classText(resource, partsOf(resource))}`;
}

function writeErrors(resource: Resource) {
  const isTakeable = resource.fields.some(({ isUnique }) => isUnique);
  const isReferring = refsOf(resource).length > 0;
  const errors = [
    ...(isTakeable ? ['ValueConflictError'] : []),
    ...(isReferring ? ['UnknownReferenceError'] : []),
  ];
  return { isTakeable, isReferring, errors };
}

function partsOf(resource: Resource): Parts {
  const { isOwned, pluralPascal } = resource;
  const { errors } = writeErrors(resource);
  return {
    store: `${pluralPascal.charAt(0).toLowerCase()}${pluralPascal.slice(1)}`,
    guard: isOwned ? '' : "  @Roles('admin')\n",
    owner: isOwned ? 'userId, ' : '',
    caller: isOwned ? '@Caller() { userId }: SignedInUser, ' : '',
    refuses: errors.length === 0 ? '' : `  @ErrorResponses(${errors.join(', ')})\n`,
  };
}

function classText(resource: Resource, { store, guard, owner, caller, refuses }: Parts): string {
  const { kebab, pascal, plural, pluralPascal, isOwned } = resource;
  const [one, many] = [kebab, plural].map((name) => name.replaceAll('-', ' '));
  const [whose, ofOne] = isOwned
    ? [`the caller's ${many}`, `one of the caller's ${many}`]
    : [`the ${many}`, withArticle(one)];
  const slice = isOwned ? `this.${store}.list(userId, slice)` : `this.${store}.list(slice)`;
  return `/** ${isOwned ? "Each caller's own: another's is a 404." : 'Read by every user, managed by administrators.'} */
@Controller('${plural}')
export class ${pluralPascal}Controller {
  constructor(private readonly ${store}: ${pluralPascal}Store) {}

  /** Lists ${whose}, oldest first. */
  @Get()
  @ETag()
  @Returns(Page(${pascal}))
  async list(@Query() query: ${hasQuery(resource) ? queryName(resource) : 'PaginationQuery'}, ${caller}@Res({ passthrough: true }) reply: FastifyReply) {
    return paginate(query, reply, (slice) => ${slice});
  }

  /** Returns ${ofOne}. */
  @Get(':id')
  @ETag()
  @Returns(${pascal})
  async read(@Param() { id }: ById, ${caller}@Transaction() db?: Queries): Promise<${pascal}Row> {
    return (await this.${store}.findById(${owner}id, db)) ?? missing('${one}', id);
  }

  /** Creates ${withArticle(one)}. */
  @Post()
${guard}  @Idempotent()
  @Returns(${pascal})
${refuses}  async create(@Body() body: Create${pascal}, ${caller}@Res({ passthrough: true }) reply: FastifyReply, @Transaction() db?: Queries): Promise<${pascal}Row> {
    const made = await ${guarded(resource, `this.${store}.insert(${owner}body, db)`)};
    void reply.header('Location', \`/${plural}/\${made.id}\`);
    return made;
  }

  /** Changes ${ofOne}. Members that are absent stay as they are. */
  @Patch(':id')
${guard}  @Idempotent()
  @ETag()
  @IfMatch('read')
  @Returns(${pascal})
${refuses}  async update(@Param() { id }: ById, @Body() body: Update${pascal}, ${caller}@Transaction() db?: Queries): Promise<${pascal}Row> {
    const changed = await ${guarded(resource, `this.${store}.update(${owner}id, body, db)`)};
    return changed ?? missing('${one}', id);
  }

  /** Deletes ${ofOne}. */
  @Delete(':id')
${guard}  @IfMatch('read')
  @HttpCode(204)
  async remove(@Param() { id }: ById, ${caller}@Transaction() db?: Queries): Promise<void> {
    if (!(await this.${store}.remove(${owner}id, db))) missing('${one}', id);
  }
}
`.replaceAll(', )', ')');
}

/** A write whose violations of constraints are errors of the caller. */
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
