import { readWorkspace } from '../../../scripts/workspace.mts';
import { readNames } from '../names.mts';
import { pluralOf, singularOf } from '../plural.mts';
import { Draft } from '../source/draft.mts';
import { nextMigration } from '../migrations.mts';
import { readFields } from './fields.mts';
import { listInProgram } from '../program.mts';
import { insertAmong } from './insert.mts';
import { decimalNote } from './lists.mts';
import { pathOf, refuseForeign, type Resource } from './resource.mts';
import { filesOf, organizationOfPath, programPath, samplePath, tablePath } from './places.mts';
import { specFile } from './spec-file.mts';
import { tableFile } from './table-files.mts';
import { controllerFile } from './controller-file.mts';
import { dtoFile } from './dto-file.mts';
import { resourceFile, resourceName } from './resource-file.mts';
import { sampleFile } from './sample-file.mts';
import { storeFile } from './store-file.mts';
import type { TakenNames } from './taken-names.mts';
import { findTarget, type Owner } from './target.mts';
import { requireTeams } from './teams.mts';
import { fileOf } from '../source/template.mts';

/** The names that the files import, and that a class for the resource would shadow. */
const IMPORTED =
  'Body ById Caller ColumnType Controller Delete ErrorResponses Exclude Expose Filterable Get HttpCode Idempotent Injectable Max Member Membership Min Page Param Patch Post Query Res Returns Roles Schema Slice Sortable';

/** The input for a new resource. */
export interface ResourceRequest {
  /** The application that gets it; default `api`. */
  readonly app?: string;
  /** The name in the singular, such as `parking-ticket`. */
  readonly name: string | undefined;
  /** The plural in the path. The default follows the English rules. */
  readonly plural?: string;
  readonly fields: readonly string[];
  readonly owner?: Owner | undefined;
  readonly taken: TakenNames;
}

/** The drafted resource. */
export interface MadeResource {
  /** The resource's path, such as `/tickets`. */
  readonly path: string;
  readonly folder: string;
  readonly migration: string;
  /** The reason why the list lacks an order or a filter, if it does. */
  readonly note: string | undefined;
  /** All files, not yet written. */
  readonly draft: Draft;
}

/**
 * Drafts a resource of an application: wire classes, store, controller, spec, table with its migration, and where they are registered.
 *
 * @throws Error for invalid arguments, or a file in which it cannot be registered
 */
export function makeResource(request: ResourceRequest): MadeResource {
  const draft = new Draft();
  const resource = readResource(draft, request);
  const migration = nextMigration(draft, resource, resource.plural);
  for (const [path, text] of Object.entries(textsOf(draft, resource, migration))) draft.write(path, text);
  register(draft, resource);
  return {
    path: `/${pathOf(resource)}`,
    folder: `apps/${resource.app}/src/${resource.plural}`,
    migration,
    note: decimalNote(resource),
    draft,
  };
}

function readResource(
  draft: Draft,
  { app = 'api', name, plural: givenPlural, fields, owner, taken }: ResourceRequest,
): Resource {
  const { projects } = readWorkspace();
  const names = readNames(name, Object.keys(projects));
  const plural = readNames(givenPlural ?? requirePlural(names.kebab), [names.kebab]);
  const resource = {
    app,
    ...names,
    plural: plural.kebab,
    pluralPascal: plural.pascal,
    table: names.kebab.replaceAll('-', '_'),
    fields: readFields(fields, (path) => findTarget(app, path)),
    owner,
  };
  refuseTaken(draft, resource, taken);
  refuseForeign(resource);
  return resource;
}

function refuseTaken(draft: Draft, resource: Resource, { tables, paths, classes }: TakenNames): void {
  const { app, kebab, camel, pascal, plural, pluralPascal } = resource;
  const place = `apps/${app}/src/${plural}`;
  const variable = resourceName({ pluralPascal });
  if (draft.has(place)) throw new Error(`${place} already exists`);
  const isImported = Object.hasOwn(globalThis, pascal) || IMPORTED.split(' ').includes(pascal);
  const takenNames = {
    [`class ${pascal}`]: isImported || classes.has(pascal),
    [`class ${pluralPascal}Controller`]: classes.has(`${pluralPascal}Controller`),
    [`path /${pathOf(resource)}`]: paths.has(pathOf(resource)),
    [`table ${camel}`]: tables.has(camel),
    [`name ${variable} in the program`]: new RegExp(`[{,\\s]${variable}\\b`).test(
      draft.read(programPath({ app })),
    ),
  };
  for (const [name, isTaken] of Object.entries(takenNames))
    if (isTaken) throw new Error(`the ${name} is taken: choose another name, such as ${app}-${kebab}`);
}

/** Returns a name's plural. @throws Error for a name that is a plural itself, or has no plural */
function requirePlural(kebab: string): string {
  const singular = singularOf(kebab);
  if (singular !== undefined)
    throw new Error(`${kebab} is a plural: give the singular, such as ${singular}, or --plural`);
  const plural = pluralOf(kebab);
  if (plural === undefined)
    throw new Error(`${kebab} has no plural: give one by --plural, such as ${kebab}-list`);
  return plural;
}

function textsOf(draft: Draft, resource: Resource, migration: string): Record<string, string> {
  const [files, isTenant] = [filesOf(resource), resource.owner === 'organization'];
  const helper = organizationOfPath(resource);
  return {
    ...(isTenant && !draft.has(helper) && { [helper]: fileOf('resource/organization-of.ts', {}) }),
    [`${files}.controller.ts`]: controllerFile(
      resource,
      isTenant ? requireTeams(draft, resource.app) : undefined,
    ),
    [`${files}.dto.ts`]: dtoFile(resource),
    [`${files}.resource.ts`]: resourceFile(resource),
    [`${files}.spec.ts`]: specFile(resource),
    [`${files}.store.ts`]: storeFile(resource),
    [samplePath(resource)]: sampleFile(resource),
    [tablePath(resource)]: tableFile(resource, migration),
  };
}

/** Lists the resource in the program. */
function register(draft: Draft, resource: Resource): void {
  const { app, plural } = resource;
  const module = `./${plural}/${plural}.resource`;
  listInProgram(draft, app, { list: 'resources', name: resourceName(resource), module });
  addToChangelog(draft, resource);
}

/** At the top of the unreleased changes. */
function addToChangelog(draft: Draft, resource: Resource): void {
  const path = 'CHANGELOG.md';
  const who = resource.owner
    ? `has each ${resource.owner === 'account' ? 'caller' : 'organization'}'s own`
    : 'can be read by every user, and is managed by administrators';
  const entry = `- \`/${pathOf(resource)}\` ${who}.`;
  insertAmong(draft, { path, neighbour: /^## .* unreleased\n$/gm }, entry);
}
