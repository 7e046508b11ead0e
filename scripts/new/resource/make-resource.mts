import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWorkspace, root } from '../../workspace.mts';
import { readNames } from '../names.mts';
import { pluralOf, singularOf } from '../plural.mts';
import { format, writeFile } from '../project.mts';
import { readFields } from './fields.mts';
import { appendToList, insertAmong } from './insert.mts';
import type { Resource } from './resource.mts';
import { registerSecrecy, secrecyFiles } from './secrecy.mts';
import { specFile } from './spec-file.mts';
import { migrationFile, tableFile } from './table-files.mts';
import { controllerFile } from './controller-file.mts';
import { dtoFile } from './dto-file.mts';
import { sampleFile } from './sample-file.mts';
import { storeFile } from './store-file.mts';
import { findTarget, samplePath } from './target.mts';

const tables = 'libs/persistence/src/tables';
const migrations = 'libs/persistence/src/migrations';
const appModule = 'apps/api/src/app.module.ts';

/** Names that the files import, and that a class of the resource would shadow. */
const IMPORTED =
  'Answers Body ById Caller Controller Delete Exclude Expose Get HttpCode Injectable Min Max Page Param Patch Post Query ErrorResponses Res Roles Schema Slice';

/** What a new resource is made from. */
export interface ResourceRequest {
  /** Its name in the singular, such as `parking-ticket`. */
  readonly name: string | undefined;
  /** Of the path; default by the rules of English. */
  readonly plural?: string;
  readonly fields: readonly string[];
  /** Whether each caller has their own. */
  readonly isOwned: boolean;
  /** Whether nothing is written. */
  readonly isDryRun: boolean;
}

/** What was made, or would be. */
export interface MadeResource {
  /** Such as `/tickets`. */
  readonly path: string;
  readonly migration: string;
  /** The files that are created. */
  readonly files: readonly string[];
}

/**
 * Creates a resource of `api`: wire classes, store, controller, spec, table and migration, and registers them.
 *
 * @throws Error for invalid arguments, before anything is written
 */
export function makeResource(request: ResourceRequest): MadeResource {
  const resource = readResource(request);
  const migration = nextMigration(resource);
  const files = filesOf(resource, migration);
  const made = { path: `/${resource.plural}`, migration, files: Object.keys(files) };
  if (request.isDryRun) return made;
  for (const [path, text] of Object.entries(files)) writeFile(path, text);
  register(resource, migration);
  format(
    `apps/api/src/${resource.plural}`,
    samplePath(resource.kebab),
    appModule,
    tables,
    migrations,
    'libs/persistence/src/index.ts',
    'CHANGELOG.md',
    ...secrecyFiles,
  );
  return made;
}

function readResource({ name, plural: givenPlural, fields, isOwned }: ResourceRequest): Resource {
  const { projects } = readWorkspace();
  const names = readNames(name, Object.keys(projects));
  const plural = readNames(givenPlural ?? requirePlural(names.kebab), [names.kebab]);
  const resource = {
    ...names,
    plural: plural.kebab,
    pluralPascal: plural.pascal,
    table: names.kebab.replaceAll('-', '_'),
    fields: readFields(fields, findTarget),
    isOwned,
  };
  refuseTaken(resource);
  return resource;
}

function refuseTaken({ kebab, pascal, plural }: Resource): void {
  if (Object.hasOwn(globalThis, pascal) || IMPORTED.split(' ').includes(pascal))
    throw new Error(`a class ${pascal} would shadow an existing ${pascal}: choose another name`);
  for (const place of [`apps/api/src/${plural}`, `${tables}/${kebab}.table.ts`])
    if (existsSync(join(root, place))) throw new Error(`${place} already exists`);
}

/** @throws Error for a name that is a plural itself, or has none */
function requirePlural(kebab: string): string {
  const singular = singularOf(kebab);
  if (singular !== undefined)
    throw new Error(`${kebab} is a plural: give the singular, such as ${singular}, or --plural`);
  const plural = pluralOf(kebab);
  if (plural === undefined)
    throw new Error(`${kebab} has no plural: give one by --plural, such as ${kebab}-list`);
  return plural;
}

/** The next number: `0007-tickets`. */
function nextMigration({ plural }: Resource): string {
  const next = Number.parseInt(newestMigration(), 10) + 1;
  return `${String(next).padStart(4, '0')}-${plural}`;
}

/** `0006-token-generation`; programs that have it run on the tables of the next one, which only adds a table. */
function newestMigration(): string {
  const source = readFileSync(join(root, migrations, 'migrations.ts'), 'utf8');
  const names = [...source.matchAll(/^ {2}'(\d{4}-[^']+)':/gm)].map(([, name = '']) => name);
  return names.toSorted().at(-1) ?? '';
}

function filesOf(resource: Resource, migration: string): Record<string, string> {
  const { kebab, plural } = resource;
  const folder = `apps/api/src/${plural}`;
  return {
    [`${folder}/${plural}.controller.ts`]: controllerFile(resource),
    [`${folder}/${plural}.dto.ts`]: dtoFile(resource),
    [`${folder}/${plural}.spec.ts`]: specFile(resource),
    [`${folder}/${plural}.store.ts`]: storeFile(resource),
    [samplePath(kebab)]: sampleFile(resource),
    [`${tables}/${kebab}.table.ts`]: tableFile(resource),
    [`${migrations}/${migration}.ts`]: migrationFile(resource, functionOf(resource)),
  };
}

function functionOf({ pluralPascal }: Resource): string {
  return `add${pluralPascal}`;
}

function register(resource: Resource, migration: string): void {
  registerTable(resource);
  registerSecrecy(resource);
  registerMigration(resource, migration);
  const { plural, pluralPascal } = resource;
  const neighbour = /^import [^;]* from '(\.\/[^']+)';$/gm;
  for (const part of ['controller', 'store'] as const) {
    const className = `${pluralPascal}${part === 'store' ? 'Store' : 'Controller'}`;
    const place = `./${plural}/${plural}.${part}`;
    insertAmong({ path: appModule, neighbour }, `import { ${className} } from '${place}';`, place);
    appendToList(appModule, part === 'store' ? 'providers' : 'controllers', className);
  }
  addToChangelog(resource);
}

/** At the top of the unreleased changes. */
function addToChangelog({ plural, isOwned }: Resource): void {
  const path = 'CHANGELOG.md';
  const who = isOwned
    ? "has each caller's own"
    : 'can be read by every user, and is managed by administrators';
  const entry = `- \`/${plural}\` ${who}.`;
  insertAmong({ path, neighbour: /^## .* unreleased\n$/gm }, entry);
}

function registerTable({ kebab, camel, pascal }: Resource): void {
  const path = `${tables}/tables.ts`;
  const file = `./${kebab}.table`;
  insertAmong(
    { path, neighbour: /^import [^;]* from '(\.\/[^']+\.table)';$/gm },
    `import { type ${pascal}Table } from '${file}';`,
    file,
  );
  insertAmong({ path, neighbour: /^ {2}(\w+): \w+Table;$/gm }, `  ${camel}: ${pascal}Table;`, camel);
  const exported = `./tables/${kebab}.table`;
  insertAmong(
    { path: 'libs/persistence/src/index.ts', neighbour: /^export \{[^}]*\} from '(\.\/[^']+)';$/gm },
    `export { type ${pascal}Row, type ${pascal}Table } from '${exported}';`,
    exported,
  );
}

function registerMigration(resource: Resource, migration: string): void {
  const path = `${migrations}/migrations.ts`;
  const name = functionOf(resource);
  insertAmong(
    { path, neighbour: /^import [^;]* from '\.\/\d[^']*';$/gm },
    `import { ${name} } from './${migration}';`,
  );
  const entry = `  '${migration}': { apply: ${name}, runsSince: '${newestMigration()}' },`;
  insertAmong({ path, neighbour: /^ {2}'\d{4}-[^']+': \{[^}]*\},$/gm }, entry);
}
