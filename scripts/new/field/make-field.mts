import ts from 'typescript';
import { Draft } from '../draft.mts';
import { choicesName } from '../resource/field-types.mts';
import type { Field } from '../resource/fields.mts';
import { insertAmong } from '../resource/insert.mts';
import { decimalNote, queryName } from '../resource/lists.mts';
import { listed, type Resource, sampleName } from '../resource/resource.mts';
import { leaks, openMembersEdit, registerReference, removeLast, secrecy } from '../resource/secrecy.mts';
import { isJson } from '../resource/store-file.mts';
import { held } from '../resource/table-files.mts';
import { samplePath, tablePath } from '../resource/target.mts';
import { concernsController, controllerEdit } from './controller-edits.mts';
import { dtoEdit } from './dto-edits.mts';
import { draftMigrations } from './migration-edits.mts';
import { applyEdits, type FieldEdit } from './source-edit.mts';
import { dtoPath, readResource } from './existing-resource.mts';
import { specEdit } from './spec-edits.mts';
import { storeByHand, storeEdit } from './store-edits.mts';
import { addImport, addMember, declared, inTurn, parse, type SourceEdit } from './syntax.mts';
import { leaksEdit, sampleEdit, secrecyEdit } from './test-edits.mts';

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
 * Drafts fields of a resource of `api` that exists: table, migration, wire classes, store, and tests. The files may have been changed
 * since they were generated, as long as the places to edit can be found.
 *
 * @param defaults the values of rows that are there already, for required fields: `priority=0`
 * @throws Error for invalid arguments, or with everything that is to be added by hand first
 */
export function makeField(
  path: string | undefined,
  given: readonly string[],
  defaults: readonly string[] = [],
): MadeField {
  const draft = new Draft();
  const resource = readResource(draft, path, given, defaults);
  const { plural } = resource;
  const shape = {
    isListed: hasQueryClass(draft, resource),
    hasSample: draft.has(samplePath(resource.kebab)),
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
  for (const field of resource.fields) referTo(draft, resource, field);
  const migrations = draftMigrations(draft, resource, isListed);
  addToChangelog(draft, resource);
  return { path: `/${plural}`, migrations, isListed, note: decimalNote(resource), draft };
}

/** A list without a query class of its own has one order, and no filters. */
function hasQueryClass(draft: Draft, resource: Resource): boolean {
  return (
    declared(parse(draft.read(dtoPath(resource.plural))), ts.isClassDeclaration, queryName(resource)) !==
    undefined
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
      held(resource, field),
      { key: field.name, follower: 'createdAt' },
    );
  return isJson(field) ? inTurn(member, addImport('kysely', 'type JSONColumnType')) : member;
}

function editsOf(resource: Resource, field: Field, { isListed, hasSample }: Shape): readonly FieldEdit[] {
  const { kebab, pascal, plural } = resource;
  const folder = `apps/api/src/${plural}/${plural}`;
  const { name } = field;
  return [
    {
      path: tablePath(kebab),
      edit: tableEdit(resource, field),
      byHand: `the member ${held(resource, field).trim()}`,
    },
    {
      path: dtoPath(plural),
      edit: dtoEdit(resource, field),
      byHand: `${name} with its rules, in ${pascal}, Create${pascal} and Update${pascal}${field.type === 'one-of' ? `, and the values ${choicesName(resource, field)}` : ''}`,
    },
    { path: `${folder}.store.ts`, edit: storeEdit(resource, field), byHand: storeByHand(resource, field) },
    ...(concernsController(field)
      ? [
          {
            path: `${folder}.controller.ts`,
            edit: controllerEdit(resource, field),
            byHand: `the errors of ${name}, by unlessTaken or unlessUnknown and @ErrorResponses`,
          },
        ]
      : []),
    { path: `${folder}.spec.ts`, edit: specEdit(resource, field, isListed), byHand: `tests of ${name}` },
    ...(hasSample
      ? [
          {
            path: samplePath(kebab),
            edit: sampleEdit(resource, field),
            byHand: `${name} in the body that ${sampleName(resource)} returns`,
          },
        ]
      : []),
    {
      path: secrecy,
      edit: inTurn(secrecyEdit(resource, field), openMembersEdit(field)),
      byHand: `${name}: 'open' in ${resource.camel}, or who else may read it`,
    },
    { path: leaks, edit: leaksEdit(resource, field), byHand: `${name} in the body of 'POST /${plural}'` },
  ];
}

/** The leak test creates what a reference refers to, and removes it last. */
function referTo(draft: Draft, resource: Resource, field: Field): void {
  if (field.target === undefined) return;
  registerReference(draft, { ...field, target: field.target }, resource.camel);
  removeLast(draft, { ...resource, fields: [field] });
}

function addToChangelog(draft: Draft, { plural, fields }: Resource): void {
  insertAmong(
    draft,
    { path: 'CHANGELOG.md', neighbour: /^## .* unreleased\n$/gm },
    `- \`/${plural}\` has ${listed(fields)}.`,
  );
}
