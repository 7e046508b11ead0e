import ts from 'typescript';
import { Draft } from '../source/draft.mts';
import { choicesName } from '../resource/field-types.mts';
import type { Field } from '../resource/fields.mts';
import { insertAmong } from '../resource/insert.mts';
import { decimalNote, queryName } from '../resource/lists.mts';
import { listed, type Resource, sampleName } from '../resource/resource.mts';
import { isJson } from '../resource/store-file.mts';
import { memberOf } from '../resource/table-files.mts';
import { secrecyEdit } from '../resource/table-parts.mts';
import { dtoPath, filesOf, samplePath, tablePath } from '../resource/places.mts';
import { concernsController, controllerEdit } from './controller-edits.mts';
import { dtoEdit } from './dto-edits.mts';
import { draftMigrations } from './migration-edits.mts';
import { applyEdits, type FieldEdit } from '../source/source-edit.mts';
import { readResource } from './existing-resource.mts';
import { specEdit } from './spec-edits.mts';
import { storeByHand, storeEdit } from './store-edits.mts';
import { addImport, addMember, declared, inTurn, parse, type SourceEdit } from '../source/syntax.mts';
import { sampleEdit } from './test-edits.mts';

/** What is to be added. */
export interface MadeField {
  /** Such as `/tasks`. */
  readonly path: string;
  readonly migrations: readonly string[];
  /** Whether the list has a query class, to which orders and filters are added. */
  readonly isListed: boolean;
  /** Why the list lacks an order or a filter, if it does. */
  readonly note: string | undefined;
  /** All files, not yet written. */
  readonly draft: Draft;
}

/**
 * Drafts fields of a resource of an application that exists: table, migration, wire classes, store, and tests. The files may have been changed
 * since they were generated, as long as the places to edit can be found.
 *
 * @param app the application that has the resource
 * @param defaults the values of rows that are there already, for required fields: `priority=0`
 * @throws Error for invalid arguments, or with everything that is to be added by hand first
 */
export function makeField(
  path: string | undefined,
  given: readonly string[],
  defaults: readonly string[] = [],
  app = 'api',
): MadeField {
  const draft = new Draft();
  const resource = readResource(draft, app, path, given, defaults);
  const { plural } = resource;
  const shape = {
    isListed: hasQueryClass(draft, resource),
    hasSample: draft.has(samplePath(resource)),
  };
  const { isListed } = shape;
  const byHand = resource.fields.flatMap((field) =>
    applyEdits(draft, field.name, editsOf(resource, field, shape)),
  );
  if (byHand.length > 0)
    throw new Error(
      [
        `nothing was written, because these files have another shape. Add this by hand, and run the command again:`,
        ...byHand,
      ].join('\n'),
    );
  const migrations = draftMigrations(draft, resource, isListed);
  addToChangelog(draft, resource);
  return { path: `/${plural}`, migrations, isListed, note: decimalNote(resource), draft };
}

/** A list without a query class of its own has one order, and no filters. */
function hasQueryClass(draft: Draft, resource: Resource): boolean {
  return (
    declared(parse(draft.read(dtoPath(resource))), ts.isClassDeclaration, queryName(resource)) !== undefined
  );
}

/** What a resource has. Those that were not generated have no sample. */
interface Shape {
  readonly isListed: boolean;
  readonly hasSample: boolean;
}

function tableEdit(resource: Resource, field: Field): SourceEdit {
  const member: SourceEdit = (source) =>
    addMember(
      source,
      declared(source, ts.isInterfaceDeclaration, `${resource.pascal}Table`),
      memberOf(resource, field),
      { key: field.name, follower: 'createdAt' },
    );
  const typed = isJson(field) ? inTurn(member, addImport('kysely', 'type JSONColumnType')) : member;
  return inTurn(typed, secrecyEdit(resource, field));
}

function editsOf(resource: Resource, field: Field, { isListed, hasSample }: Shape): readonly FieldEdit[] {
  const { pascal } = resource;
  const files = filesOf(resource);
  const { name } = field;
  return [
    {
      path: tablePath(resource),
      edit: tableEdit(resource, field),
      byHand: `the member ${memberOf(resource, field).trim()} and ${name}: 'open' in secrecy, or who else may read it`,
    },
    {
      path: dtoPath(resource),
      edit: dtoEdit(resource, field),
      byHand: `${name} with its rules, in ${pascal}, Create${pascal} and Update${pascal}${field.type === 'one-of' ? `, and the values ${choicesName(resource, field)}` : ''}`,
    },
    { path: `${files}.store.ts`, edit: storeEdit(resource, field), byHand: storeByHand(resource, field) },
    ...(concernsController(field)
      ? [
          {
            path: `${files}.controller.ts`,
            edit: controllerEdit(resource, field),
            byHand: `the errors of ${name}, by unlessTaken or unlessUnknown and @ErrorResponses`,
          },
        ]
      : []),
    { path: `${files}.spec.ts`, edit: specEdit(resource, field, isListed), byHand: `tests of ${name}` },
    ...(hasSample
      ? [
          {
            path: samplePath(resource),
            edit: sampleEdit(resource, field),
            byHand: `${name} in the body that ${sampleName(resource)} returns`,
          },
        ]
      : []),
  ];
}

function addToChangelog(draft: Draft, { plural, fields }: Resource): void {
  insertAmong(
    draft,
    { path: 'CHANGELOG.md', neighbour: /^## .* unreleased\n$/gm },
    `- \`/${plural}\` has ${listed(fields)}.`,
  );
}
