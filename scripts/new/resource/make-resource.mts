import { readWorkspace } from '../../workspace.mts';
import { readNames } from '../names.mts';
import { pluralOf, singularOf } from '../plural.mts';
import { Draft } from '../draft.mts';
import { migrations, nextMigration, registerMigrations } from '../migrations.mts';
import { addToAccountExport } from './account-export.mts';
import { readFields } from './fields.mts';
import { appendToList, insertAmong } from './insert.mts';
import { decimalNote } from './lists.mts';
import type { Resource } from './resource.mts';
import { addToListIndexes } from './list-indexes.mts';
import { registerSecrecy } from './secrecy.mts';
import { specFile } from './spec-file.mts';
import { migrationFile, tableFile } from './table-files.mts';
import { controllerFile } from './controller-file.mts';
import { dtoFile } from './dto-file.mts';
import { sampleFile } from './sample-file.mts';
import { storeFile } from './store-file.mts';
import { findTarget, samplePath } from './target.mts';

const tables = 'libs/persistence/src/tables';
const appModule = 'apps/api/src/app.module.ts';

/** Names that the files import, and that a class of the resource would shadow. */
const IMPORTED =
  'Answers Body ById Caller Controller Delete ErrorResponses Exclude Expose Filterable Get HttpCode Idempotent Injectable Max Min Page Param Patch Post Query Res Roles Schema Slice Sortable';

/** What a new resource is made from. */
export interface ResourceRequest {
  /** Its name in the singular, such as `parking-ticket`. */
  readonly name: string | undefined;
  /** Of the path; default by the rules of English. */
  readonly plural?: string;
  readonly fields: readonly string[];
  /** Whether each caller has their own. */
  readonly isOwned: boolean;
}

/** What is to be made. */
export interface MadeResource {
  /** Such as `/tickets`. */
  readonly path: string;
  readonly migration: string;
  /** Why its list lacks an order or a filter, if it does. */
  readonly note: string | undefined;
  /** All files, not yet written. */
  readonly draft: Draft;
}

/**
 * Drafts a resource of `api`: wire classes, store, controller, spec, table and migration, and where they are registered.
 *
 * @throws Error for invalid arguments, or a file in which it cannot be registered
 */
export function makeResource(request: ResourceRequest): MadeResource {
  const draft = new Draft();
  const resource = readResource(draft, request);
  const migration = nextMigration(draft, resource.plural);
  for (const [path, text] of Object.entries(filesOf(resource, migration))) draft.write(path, text);
  register(draft, resource, migration);
  return { path: `/${resource.plural}`, migration, note: decimalNote(resource), draft };
}

function readResource(
  draft: Draft,
  { name, plural: givenPlural, fields, isOwned }: ResourceRequest,
): Resource {
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
  refuseTaken(draft, resource);
  return resource;
}

function refuseTaken(draft: Draft, { kebab, pascal, plural }: Resource): void {
  if (Object.hasOwn(globalThis, pascal) || IMPORTED.split(' ').includes(pascal))
    throw new Error(`a class ${pascal} would shadow an existing ${pascal}: choose another name`);
  for (const place of [`apps/api/src/${plural}`, `${tables}/${kebab}.table.ts`])
    if (draft.has(place)) throw new Error(`${place} already exists`);
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

function register(draft: Draft, resource: Resource, migration: string): void {
  registerTable(draft, resource);
  registerSecrecy(draft, resource);
  addToListIndexes(draft, resource);
  addToAccountExport(draft, resource, appModule);
  registerMigrations(draft, [{ migration, name: functionOf(resource) }]);
  const { plural, pluralPascal } = resource;
  const neighbour = /^import [^;]* from '(\.\/[^']+)';$/gm;
  for (const part of ['controller', 'store'] as const) {
    const className = `${pluralPascal}${part === 'store' ? 'Store' : 'Controller'}`;
    const place = `./${plural}/${plural}.${part}`;
    insertAmong(draft, { path: appModule, neighbour }, `import { ${className} } from '${place}';`, place);
    appendToList(draft, appModule, part === 'store' ? 'providers' : 'controllers', className);
  }
  addToChangelog(draft, resource);
}

/** At the top of the unreleased changes. */
function addToChangelog(draft: Draft, { plural, isOwned }: Resource): void {
  const path = 'CHANGELOG.md';
  const who = isOwned
    ? "has each caller's own"
    : 'can be read by every user, and is managed by administrators';
  const entry = `- \`/${plural}\` ${who}.`;
  insertAmong(draft, { path, neighbour: /^## .* unreleased\n$/gm }, entry);
}

function registerTable(draft: Draft, { kebab, camel, pascal }: Resource): void {
  const path = `${tables}/tables.ts`;
  const file = `./${kebab}.table`;
  insertAmong(
    draft,
    { path, neighbour: /^import [^;]* from '(\.\/[^']+\.table)';$/gm },
    `import { type ${pascal}Table } from '${file}';`,
    file,
  );
  insertAmong(draft, { path, neighbour: /^ {2}(\w+): \w+Table;$/gm }, `  ${camel}: ${pascal}Table;`, camel);
  const exported = `./tables/${kebab}.table`;
  insertAmong(
    draft,
    { path: 'libs/persistence/src/index.ts', neighbour: /^export \{[^}]*\} from '(\.\/[^']+)';$/gm },
    `export { type ${pascal}Row, type ${pascal}Table } from '${exported}';`,
    exported,
  );
}
