import { fileOf } from '../source/template.mts';
import { importsOf } from './dto-imports.mts';
import { choicesName, factsOf, initialText, partName, partOwner, schemaText } from './field-types.mts';
import type { Field } from './fields.mts';
import { filterRules, filtersOf, hasQuery, queryName, sortsOf } from './lists.mts';
import { importFrom, ownerParts, type Resource } from './resource.mts';

/** The wire classes. */
export function dtoFile(resource: Resource): string {
  const classes = classesOf(resource);
  const imports = importsOf(classes).map(({ module, names }) => importFrom(module, names));
  return `${imports.join('')}${classes}`;
}

function classesOf(resource: Resource): string {
  const { kebab, pascal, fields } = resource;
  const [sorts, filters] = [sortsOf(resource), filtersOf(resource)];
  return fileOf('resource/dto.ts', {
    pascal,
    ...ownerParts(resource),
    one: kebab.replaceAll('-', ' '),
    isListed: hasQuery(resource),
    query: queryName(resource),
    choices: choiceLists(resource, fields)
      .map((text) => `\n${text}`)
      .join(''),
    parts: fields.map((field) => partClasses(resource, field)).join(''),
    sorts: quotedNames(sorts),
    filters: quotedNames(filters),
    filterMembers: filters.map((field) => filter(resource, field)).join('\n'),
    ...membersOf(resource, fields),
  });
}

/** The members of the classes that are sent and received. */
function membersOf(owner: Pick<Resource, 'camel' | 'pascal'>, fields: readonly Field[]) {
  const receivedBy = (purpose: 'create' | 'update') =>
    fields
      .map((field) => received(owner, field, purpose))
      .join('\n')
      .trimEnd();
  const sent = fields
    .map((field) => shown(owner, field))
    .join('')
    .trimEnd();
  return { shown: sent, created: receivedBy('create'), updated: receivedBy('update') };
}

/** The values of each choice. */
function choiceLists(owner: Pick<Resource, 'camel'>, fields: readonly Field[]): readonly string[] {
  return fields.filter(({ type }) => type === 'one-of').map((field) => choiceList(owner, field));
}

/** The constant with the values of a choice. */
export function choiceList(resource: Pick<Resource, 'camel'>, field: Field): string {
  const values = field.choices.map((choice) => `'${choice}'`).join(', ');
  return `/** The values of \`${field.name}\`. */\nexport const ${choicesName(resource, field)} = [${values}] as const;\n`;
}

/** Renders the classes for the parts in a list, as they are sent and as they are received. Empty for other fields. */
export function partClasses(resource: Pick<Resource, 'camel' | 'pascal'>, field: Field): string {
  if (field.parts === undefined) return '';
  const [part, owner] = [partName(resource, field), partOwner(resource, field)];
  const choices = choiceLists(owner, field.parts)
    .map((text) => `${text}\n`)
    .join('');
  return fileOf('resource/part.ts', { choices, name: field.name, part, ...membersOf(owner, field.parts) });
}

function quotedNames(fields: readonly Field[]): string {
  return fields.map(({ name }) => `'${name}'`).join(', ');
}

/** A member of the query class. */
export function filter(resource: Resource, field: Field): string {
  const rules = ['@IfGiven()', ...filterRules(resource, field)];
  return `${lines(rules)}  ${field.name}?: ${factsOf(resource, field).received};\n`;
}

/** A member of the class that is sent. */
export function shown(resource: Pick<Resource, 'camel' | 'pascal'>, field: Field): string {
  const { name, type, isNullable } = field;
  if (type === 'list') {
    const part = partName(resource, field);
    return `  @Expose() @Type(() => ${part}) ${name}!: ${part}[];\n`;
  }
  const sent = type === 'timestamp' ? 'Date' : factsOf(resource, field).received;
  const anyForm = type === 'json' ? '@Type(() => Object) ' : '';
  return `  @Expose() ${anyForm}${schemaText(resource, field)} ${name}!: ${sent}${isNullable ? ' | null' : ''};\n`;
}

/** A member of a body. */
export function received(
  resource: Pick<Resource, 'camel' | 'pascal'>,
  field: Field,
  purpose: 'create' | 'update',
): string {
  const { name, isNullable } = field;
  const { rules: ownRules, received: type } = factsOf(resource, field);
  const ifGiven = purpose === 'update' ? ['@IfGiven()'] : [];
  const rules = [...(isNullable ? ['@IsOptional()'] : ifGiven), ...ownRules];
  const initial = initialText(field);
  if (initial !== undefined && purpose === 'create')
    return `${lines(rules)}  ${name}: ${type} = ${initial};\n`;
  const mark = purpose === 'update' || isNullable ? '?' : '!';
  return `${lines(rules)}  ${name}${mark}: ${type}${isNullable ? ' | null' : ''};\n`;
}

function lines(rules: readonly string[]): string {
  return rules.map((rule) => `  ${rule}\n`).join('');
}
