import { importsOf } from './dto-imports.mts';
import { choicesName, factsOf, initialText, partName, partOwner, schemaText } from './field-types.mts';
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
${fields.map((field) => partClasses(resource, field)).join('')}/** One ${kebab.replaceAll('-', ' ')}, as it is sent. */
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

/** The classes of the parts of a list: as they are sent, and as they are received. Empty for other fields. */
export function partClasses(resource: Pick<Resource, 'camel' | 'pascal'>, field: Field): string {
  if (field.parts === undefined) return '';
  const [part, owner] = [partName(resource, field), partOwner(resource, field)];
  const choices = field.parts
    .filter(({ type }) => type === 'one-of')
    .map((one) => `${choiceList(owner, one)}\n`);
  return `${choices.join('')}/** One of \`${field.name}\`, as it is sent. */
@Exclude()
export class ${part} {
${field.parts.map((one) => shown(owner, one)).join('')}}

/** One of \`${field.name}\`. */
export class Create${part} {
${field.parts.map((one) => received(owner, one, 'create')).join('\n')}}

`;
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
