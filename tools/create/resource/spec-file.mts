import { readNames } from '../names.mts';
import { fileOf, type Values } from '../source/template.mts';
import { factsOf, initialText } from './field-types.mts';
import type { Field } from './fields.mts';
import { filtersOf, sortsOf } from './lists.mts';
import { ownerParts, refsOf, type Resource, sampleName } from './resource.mts';
import type { Owner } from './target.mts';

/** The resource's spec, over HTTP on a real store. */
export function specFile(resource: Resource): string {
  const { app, kebab, fields, plural } = resource;
  const cases = [orders, filters, nullables, initials, uniques, references];
  return fileOf('resource/spec.ts', {
    ...ownerParts(resource),
    ...placeOf(resource),
    app,
    kebab,
    plural,
    many: plural.replaceAll('-', ' '),
    boot: `boot${readNames(app, []).pascal}`,
    writer: resource.owner === undefined ? 'admin' : 'await api.newcomer()',
    reader: resource.owner === undefined ? 'reader' : 'writer',
    sample: sampleName(resource),
    names: quoted(fields),
    plain: firstPlain(resource).name,
    wrong: fields.map((field) => wrong(resource, field)).join(', '),
    cases: cases.map((textOf) => textOf(resource)).join(''),
  });
}

/** Renders invalid values for a field. Null is invalid for a required field. */
export function wrong(resource: Resource, field: Field): string {
  const { wrong: values } = factsOf(resource, field);
  return `${field.name}: [${[...values, ...(field.isNullable ? [] : ['null'])].join(', ')}]`;
}

/** Finds a field with a sample that depends on no other resource. */
function firstPlain({ fields }: Resource): Field {
  const first = fields.find(({ target }) => target === undefined);
  if (first === undefined) throw new TypeError('a resource needs a field that is not a ref');
  return first;
}

/** Renders the test for list orders. The database determines the text order, so the test compares both directions. */
export function orders(resource: Resource): string {
  return caseOf(resource, 'orders', sortsOf(resource));
}

/** The test of the filters. */
export function filters(resource: Resource): string {
  return caseOf(resource, 'filters', filtersOf(resource));
}

/** The test of the optional fields. */
export function nullables(resource: Resource): string {
  const fields = resource.fields.filter(({ isNullable }) => isNullable);
  return caseOf(resource, 'nullables', fields, {
    nothing: members(fields, () => 'null'),
    sparse: members(fields, () => 'undefined'),
  });
}

/** The test of the fields with a default. */
export function initials(resource: Resource): string {
  const fields = resource.fields.filter((field) => initialText(field) !== undefined);
  return caseOf(resource, 'initials', fields, {
    initial: members(fields, initialText),
    sparse: members(fields, () => 'undefined'),
  });
}

/** Renders the test for unique fields. A value that a different owner has causes no conflict, because a 409 would reveal it. */
export function uniques(resource: Resource): string {
  return caseOf(
    resource,
    'uniques',
    resource.fields.filter(({ isUnique }) => isUnique),
  );
}

/** Renders the tests for references. If resource and target are owned, the writer does not know the reader's reference. */
export function references(resource: Resource): string {
  const refs = refsOf(resource);
  const message = `${refs.map(({ name }) => name).join(' or ')} does not exist`;
  return refs
    .map(({ name, target }) => {
      const isForeign = resource.owner !== undefined && resource.owner === target.owner;
      return caseOf(resource, 'reference', refs, { name, message, isForeign });
    })
    .join('');
}

/** Returns the list's path in the spec: as an expression, within a template literal, and with a page size. */
function placeOf({ owner, plural }: Pick<Resource, 'owner' | 'plural'>) {
  const isTenant = owner === 'organization';
  return {
    list: isTenant ? 'home' : `'/${plural}'`,
    base: isTenant ? '${home}' : `/${plural}`,
    page: isTenant ? '`${home}?limit=100`' : `'/${plural}?limit=100'`,
    callersList: isTenant ? 'await homeOf(caller)' : `'/${plural}'`,
    whom: owner === undefined ? '' : whom[owner],
  };
}

const whom: Readonly<Record<Owner, string>> = {
  account: 'by the caller',
  organization: 'in the organization',
};

/** A test of some fields; empty without fields. */
function caseOf(resource: Resource, template: string, fields: readonly Field[], values: Values = {}): string {
  if (fields.length === 0) return '';
  const common = {
    ...ownerParts(resource),
    ...placeOf(resource),
    sample: sampleName(resource),
    names: quoted(fields),
  };
  return fileOf(`resource/spec/${template}.ts`, { ...common, ...values });
}

function quoted(fields: readonly Field[]): string {
  return fields.map(({ name }) => `'${name}'`).join(', ');
}

function members(fields: readonly Field[], valueOf: (field: Field) => string | undefined): string {
  return fields.map((field) => `${field.name}: ${valueOf(field)}`).join(', ');
}
