import type { Field, FieldType } from './fields.mts';
import { braced, constraintOf, importFrom, type Resource } from './resource.mts';

/** The TypeScript type of a validated field. */
const RECEIVED: Readonly<Record<FieldType, string>> = {
  text: 'string',
  integer: 'number',
  boolean: 'boolean',
  timestamp: 'string',
};

const RULES: Readonly<Record<FieldType, readonly string[]>> = {
  text: ['@MinLength(1)', '@NoLongerThan(200)'],
  integer: ['@IsInt()', '@Min(Number.MIN_SAFE_INTEGER)', '@Max(Number.MAX_SAFE_INTEGER)'],
  boolean: ['@IsBoolean()'],
  timestamp: ['@IsMoment()'],
};

/** Its `@Schema`, if the type alone is not sufficient. */
const SENT: Readonly<Record<FieldType, { readonly type: string; readonly format?: string }>> = {
  text: { type: 'string' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  timestamp: { type: 'string', format: 'date-time' },
};

/** The wire classes. */
export function dtoFile(resource: Resource): string {
  const { kebab, pascal, fields } = resource;
  const has = (type: FieldType) => fields.some((field) => field.type === type);
  const some = (isSo: (field: Field) => boolean) => fields.some(isSo);
  return `import { Schema } from '@app/shapes';
${importFrom('@app/validation', [
  some(({ isNullable }) => !isNullable) && 'IfGiven',
  has('timestamp') && 'IsMoment',
  has('text') && 'NoLongerThan',
])}import { Exclude, Expose } from 'class-transformer';
${importFrom('class-validator', [
  has('boolean') && 'IsBoolean',
  has('integer') && 'IsInt',
  some(({ isNullable }) => isNullable) && 'IsOptional',
  has('integer') && 'Max',
  has('integer') && 'Min',
  has('text') && 'MinLength',
])}
/** One ${kebab.replaceAll('-', ' ')}, as it is sent. */
@Exclude()
export class ${pascal} {
  @Expose() @Schema({ type: 'integer' }) id!: number;
${fields.map(shown).join('')}  /** ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
}

export class Create${pascal} {
${fields.map((field) => received(field, 'create')).join('\n')}}

/** Absent fields are not changed. */
export class Update${pascal} {
${fields.map((field) => received(field, 'update')).join('\n')}}
`;
}

function shown({ name, type, isNullable }: Field): string {
  const sent = type === 'timestamp' ? 'Date' : RECEIVED[type];
  const said = isNullable || type === 'integer' ? ` @Schema(${schemaOf(type, isNullable)})` : '';
  return `  @Expose()${said} ${name}!: ${sent}${isNullable ? ' | null' : ''};\n`;
}

function schemaOf(field: FieldType, isNullable: boolean): string {
  const { type, format } = SENT[field];
  const told = isNullable ? `['${type}', 'null']` : `'${type}'`;
  return `{ type: ${told}${format === undefined ? '' : `, format: '${format}'`} }`;
}

function received({ name, type, isNullable }: Field, purpose: 'create' | 'update'): string {
  const ifGiven = purpose === 'update' ? ['@IfGiven()'] : [];
  const rules = [...(isNullable ? ['@IsOptional()'] : ifGiven), ...RULES[type]];
  const mark = purpose === 'update' || isNullable ? '?' : '!';
  return `${rules.map((rule) => `  ${rule}\n`).join('')}  ${name}${mark}: ${RECEIVED[type]}${isNullable ? ' | null' : ''};\n`;
}

/** The controller: every user reads, administrators change. */
export function controllerFile(resource: Resource): string {
  const { kebab, pascal, plural, pluralPascal, fields } = resource;
  const store = lowerFirst(pluralPascal);
  const isTakeable = fields.some(({ isUnique }) => isUnique);
  const said = kebab.replaceAll('-', ' ');
  const refuses = isTakeable ? '  @ErrorResponses(409)\n' : '';
  return `import { Roles } from '@app/auth';
${isTakeable ? "import { ErrorResponses } from '@app/contract';\n" : ''}import type { ${pascal}Row } from '@app/persistence';
import { Page, PaginationQuery, paginate } from '@app/paging';
import { Answers } from '@app/serialization';
${importFrom('@app/service', ['missing', isTakeable && 'unlessTaken'])}import { ById } from '@app/validation';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Create${pascal}, ${pascal}, Update${pascal} } from './${plural}.dto';
import { ${pluralPascal}Store } from './${plural}.store';

/** Read by every user, managed by administrators. */
@Controller('${plural}')
export class ${pluralPascal}Controller {
  constructor(private readonly ${store}: ${pluralPascal}Store) {}

  @Get()
  @Answers(Page(${pascal}))
  async list(@Query() query: PaginationQuery, @Res({ passthrough: true }) reply: FastifyReply) {
    return paginate(query, reply, (slice) => this.${store}.list(slice));
  }

  @Get(':id')
  @Answers(${pascal})
  async read(@Param() { id }: ById): Promise<${pascal}Row> {
    return (await this.${store}.findById(id)) ?? missing('${said}', id);
  }

  @Post()
  @Roles('admin')
  @Answers(${pascal})
${refuses}  async create(@Body() body: Create${pascal}, @Res({ passthrough: true }) reply: FastifyReply): Promise<${pascal}Row> {
    const made = await ${unlessTaken(resource, `this.${store}.insert(body)`)};
    void reply.header('Location', \`/${plural}/\${made.id}\`);
    return made;
  }

  @Patch(':id')
  @Roles('admin')
  @Answers(${pascal})
${refuses}  async update(@Param() { id }: ById, @Body() body: Update${pascal}): Promise<${pascal}Row> {
    const changed = await ${unlessTaken(resource, `this.${store}.update(id, body)`)};
    return changed ?? missing('${said}', id);
  }

  @Delete(':id')
  @Roles('admin')
  @HttpCode(204)
  async remove(@Param() { id }: ById): Promise<void> {
    if (!(await this.${store}.remove(id))) missing('${said}', id);
  }
}
`;
}

function unlessTaken(resource: Resource, write: string): string {
  return resource.fields
    .filter(({ isUnique }) => isUnique)
    .reduce(
      (inner, field) => `unlessTaken('${constraintOf(resource, field)}', '${field.name}', ${inner})`,
      write,
    );
}

/** The store. */
export function storeFile(resource: Resource): string {
  const { camel, pascal, plural, pluralPascal, fields } = resource;
  const names = fields.map(({ name }) => name);
  const throws = fields
    .filter(({ isUnique }) => isUnique)
    .map((field) => `\`${constraintOf(resource, field)}\``)
    .join(', ');
  const doc = throws === '' ? '' : `  /** @throws UniqueViolationError ${throws} */\n`;
  return `import { Database, type Queries, statement, type ${pascal}Row } from '@app/persistence';
import type { Slice } from '@app/paging';
import { Injectable } from '@nestjs/common';
import type { Create${pascal}, Update${pascal} } from './${plural}.dto';

@Injectable()
export class ${pluralPascal}Store {
  constructor(private readonly db: Database) {}

  findById(id: number, db: Queries = this.db): Promise<${pascal}Row | undefined> {
    return byId.first(db, { id });
  }

  /** Oldest first, so that pages do not change while rows are added. */
  list({ limit, offset, after }: Slice, db: Queries = this.db): Promise<${pascal}Row[]> {
    return after === undefined ? pages.all(db, { limit, offset }) : nextPages.all(db, { limit, after });
  }

${doc}  insert(${braced(names)}: Create${pascal}, db: Queries = this.db): Promise<${pascal}Row> {
    return db
      .insertInto('${camel}')
      .values({ ${fields.map(inserted).join(', ')}, createdAt: new Date() })
      .returningAll()
      .executeTakeFirstOrThrow();
  }

${doc}  async update(id: number, ${braced(names)}: Update${pascal}, db: Queries = this.db): Promise<${pascal}Row | undefined> {
    const changes = { ${fields.map(changed).join(', ')} };
    if (Object.values(changes).every((value) => value === undefined)) return this.findById(id, db);
    return db.updateTable('${camel}').set(changes).where('id', '=', id).returningAll().executeTakeFirst();
  }

  async remove(id: number, db: Queries = this.db): Promise<boolean> {
    return (await remove.count(db, { id })) > 0;
  }
}

const byId = statement(({ id }: { id: number }, db) =>
  db.selectFrom('${camel}').selectAll().where('id', '=', id),
);

const pages = statement(({ limit, offset }: { limit: number; offset: number }, db) =>
  db.selectFrom('${camel}').selectAll().orderBy('id').limit(limit).offset(offset),
);

const nextPages = statement(({ limit, after }: { limit: number; after: number }, db) =>
  db.selectFrom('${camel}').selectAll().where('id', '>', after).orderBy('id').limit(limit),
);

const remove = statement(({ id }: { id: number }, db) => db.deleteFrom('${camel}').where('id', '=', id));
`;
}

function inserted({ name, type, isNullable }: Field): string {
  if (type === 'timestamp')
    return `${name}: ${isNullable ? `${name} ? new Date(${name}) : null` : `new Date(${name})`}`;
  return isNullable ? `${name}: ${name} ?? null` : name;
}

/** Fields that are absent stay undefined, and are not updated. */
function changed({ name, type }: Field): string {
  return type === 'timestamp' ? `${name}: typeof ${name} === 'string' ? new Date(${name}) : ${name}` : name;
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
