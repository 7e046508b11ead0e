import { importsOf } from './dto-imports.mts';
import { choicesName, factsOf, literal, schemaText } from './field-types.mts';
import type { Field } from './fields.mts';
import { filterRules, filtersOf, hasQuery, queryName, sortsOf } from './lists.mts';
import { importFrom, type Resource } from './resource.mts';

/** The wire classes. */
export function dtoFile(resource: Resource): string {
  const classes = classesOf(resource);
  const imports = importsOf(classes).map(({ module, names }) => importFrom(module, names));
  return `${imports.join('')}${classes}`;
}

function classesOf(resource: Resource): string {
  const { kebab, pascal, fields } = resource;
  return `${choiceLists(resource)}
/** One ${kebab.replaceAll('-', ' ')}, as it is sent. */
@Exclude()
export class ${pascal} {
  @Expose() @Schema({ type: 'integer' }) id!: number;
${fields.map((field) => shown(resource, field)).join('')}  /** ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
}

${queryClass(resource)}/** A new ${kebab.replaceAll('-', ' ')}. */
export class Create${pascal} {
${fields.map((field) => received(resource, field, 'create')).join('\n')}}

/** Absent fields are not changed. */
export class Update${pascal} {
${fields.map((field) => received(resource, field, 'update')).join('\n')}}
`;
}

/** The values of each choice. */
function choiceLists(resource: Resource): string {
  return resource.fields
    .filter(({ type }) => type === 'one-of')
    .map((field) => `\n${choiceList(resource, field)}`)
    .join('');
}

/** The constant with the values of a choice. */
export function choiceList(resource: Pick<Resource, 'camel'>, field: Field): string {
  const values = field.choices.map((choice) => `'${choice}'`).join(', ');
  return `/** The values of \`${field.name}\`. */\nexport const ${choicesName(resource, field)} = [${values}] as const;\n`;
}

/** The query of the list, with its orders and filters. */
function queryClass(resource: Resource): string {
  if (!hasQuery(resource)) return '';
  const [sorts, filters] = [sortsOf(resource), filtersOf(resource)];
  return `/** The query of the list. */
${sorts.length > 0 ? `@Sortable(${resource.pascal}, ${quotedNames(sorts)})\n` : ''}${filters.length > 0 ? `@Filterable(${quotedNames(filters)})\n` : ''}export class ${queryName(resource)} extends PaginationQuery {
${filters.map((field) => filter(resource, field)).join('\n')}}

`;
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
export function shown(resource: Resource, field: Field): string {
  const { name, type, isNullable } = field;
  const sent = type === 'timestamp' ? 'Date' : factsOf(resource, field).received;
  return `  @Expose() ${schemaText(resource, field)} ${name}!: ${sent}${isNullable ? ' | null' : ''};\n`;
}

/** A member of a body. */
export function received(resource: Resource, field: Field, purpose: 'create' | 'update'): string {
  const { name, isNullable, initial } = field;
  const { rules: ownRules, received: type } = factsOf(resource, field);
  const ifGiven = purpose === 'update' ? ['@IfGiven()'] : [];
  const rules = [...(isNullable ? ['@IsOptional()'] : ifGiven), ...ownRules];
  if (initial !== undefined && purpose === 'create')
    return `${lines(rules)}  ${name}: ${type} = ${literal(initial)};\n`;
  const mark = purpose === 'update' || isNullable ? '?' : '!';
  return `${lines(rules)}  ${name}${mark}: ${type}${isNullable ? ' | null' : ''};\n`;
}

function lines(rules: readonly string[]): string {
  return rules.map((rule) => `  ${rule}\n`).join('');
}
