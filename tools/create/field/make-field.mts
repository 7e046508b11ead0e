import { Draft } from '../source/draft.mts';
import { choicesName } from '../resource/field-types.mts';
import type { Field } from '../resource/fields.mts';
import { insertAmong } from '../resource/insert.mts';
import { decimalNote, queryName } from '../resource/lists.mts';
import { listed, pathOf, type Resource, sampleName } from '../resource/resource.mts';
import { isJson } from '../resource/store-file.mts';
import { memberOf } from '../resource/table-files.mts';
import { secrecyEdits } from '../resource/table-parts.mts';
import { dtoPath, filesOf, samplePath, tablePath } from '../resource/places.mts';
import { controllerEdit } from './controller-edits.mts';
import { dtoEdit } from './dto-edits.mts';
import { draftMigrations } from './migration-edits.mts';
import { readResource } from './existing-resource.mts';
import { sampleEdit, specEdit } from './spec-edits.mts';
import { storeByHand, storeEdit } from './store-edits.mts';
import { addImport, addMember, edited, mentions, parse, type SourceEdit } from '../source/syntax.mts';

/** The drafted change. */
export interface MadeField {
  /** The resource's path, such as `/tasks`. */
  readonly path: string;
  readonly folder: string;
  readonly migrations: readonly string[];
  /** Whether the list has a query class, to which orders and filters are added. */
  readonly isListed: boolean;
  /** The reason why the list lacks an order or a filter, if it does. */
  readonly note: string | undefined;
  /** All files, not yet written. */
  readonly draft: Draft;
}

/**
 * Drafts fields for an existing resource: table, migration, wire classes, store, and tests. The files may differ from the
 * generated text if the places to edit can still be found.
 *
 * @param app the application that has the resource
 * @param defaults the values for existing rows in required fields: `priority=0`
 * @throws Error for invalid arguments, or with every edit that must be made by hand first
 */
export function makeField(
  path: string | undefined,
  additions: readonly string[],
  defaults: readonly string[] = [],
  app = 'api',
): MadeField {
  const draft = new Draft();
  const resource = readResource(draft, app, path, additions, defaults);
  const isListed = parse(draft.read(dtoPath(resource))).getClass(queryName(resource)) !== undefined;
  const byHand = resource.fields.flatMap((field) => applyEdits(draft, resource, field, isListed));
  if (byHand.length > 0)
    throw new Error(
      [
        `nothing was written, because these files have another shape. Add this by hand, and run the command again:`,
        ...byHand,
      ].join('\n'),
    );
  const migrations = draftMigrations(draft, resource, isListed);
  addToChangelog(draft, resource);
  return {
    path: `/${pathOf(resource)}`,
    folder: `apps/${app}/src/${resource.plural}`,
    migrations,
    isListed,
    note: decimalNote(resource),
    draft,
  };
}

/**
 * Edits each file of a resource. A file with a different shape stays unchanged if it already has the field.
 *
 * @param isListed whether the list has a query class; otherwise the list has a single order and cannot be filtered
 * @returns the edits to make by hand, each with its file; if there are any, the draft must not be written
 */
function applyEdits(draft: Draft, resource: Resource, field: Field, isListed: boolean): readonly string[] {
  return editsOf(resource, field, isListed).flatMap(([path, edits, byHand]) => {
    // A resource that was not generated has no sample.
    if (edits.length === 0 || (path === samplePath(resource) && !draft.has(path))) return [];
    const before = draft.has(path) ? draft.read(path) : '';
    const after = edited(before, edits);
    if (after !== undefined) draft.write(path, after);
    return after !== undefined || mentions(parse(before), field.name) ? [] : [`  ${path}: ${byHand}`];
  });
}

/** The edits for a field in a single file, and the instruction for editing it by hand. */
type FileEdits = readonly [path: string, edits: readonly SourceEdit[], byHand: string];

function editsOf(resource: Resource, field: Field, isListed: boolean): readonly FileEdits[] {
  const { pascal } = resource;
  const [files, { name }, column] = [filesOf(resource), field, memberOf(resource, field)];
  const choices = field.type === 'one-of' ? `, and the values ${choicesName(resource, field)}` : '';
  return [
    [
      tablePath(resource),
      [
        (file) => addMember(file.getInterface(`${pascal}Table`), column, name, 'createdAt'),
        ...(isJson(field) ? [addImport('kysely', 'type JSONColumnType')] : []),
        ...secrecyEdits(resource, field),
      ],
      `the member ${column.trim()} and ${name}: 'open' in secrecy, or who else may read it`,
    ],
    [
      dtoPath(resource),
      dtoEdit(resource, field),
      `${name} with its rules, in ${pascal}, Create${pascal} and Update${pascal}${choices}`,
    ],
    [`${files}.store.ts`, storeEdit(resource, field), storeByHand(resource, field)],
    [
      `${files}.controller.ts`,
      controllerEdit(resource, field),
      `the errors of ${name}, by unlessTaken or unlessUnknown and @ErrorResponses`,
    ],
    [`${files}.spec.ts`, specEdit(resource, field, isListed), `tests of ${name}`],
    [
      samplePath(resource),
      sampleEdit(resource, field),
      `${name} in the body that ${sampleName(resource)} returns`,
    ],
  ];
}

function addToChangelog(draft: Draft, resource: Resource): void {
  insertAmong(
    draft,
    { path: 'CHANGELOG.md', neighbour: /^## .* unreleased\n$/gm },
    `- \`/${pathOf(resource)}\` has ${listed(resource.fields)}.`,
  );
}
