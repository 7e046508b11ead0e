import { choicesName, factsOf, schemaText } from './field-types.mts';
import type { Field, FieldType } from './fields.mts';
import { importFrom, type Resource } from './resource.mts';

/** The wire classes. */
export function dtoFile(resource: Resource): string {
  const { kebab, pascal, fields } = resource;
  const has = (...types: FieldType[]) => fields.some(({ type }) => types.includes(type));
  const some = (isSo: (field: Field) => boolean) => fields.some(isSo);
  return `import { Schema } from '@app/shapes';
${importFrom('@app/validation', [
  some(({ isNullable }) => !isNullable) && 'IfGiven',
  has('date') && 'IsCalendarDate',
  has('timestamp') && 'IsMoment',
  has('text') && 'NoLongerThan',
])}import { Exclude, Expose } from 'class-transformer';
${importFrom('class-validator', [
  has('boolean') && 'IsBoolean',
  has('one-of') && 'IsIn',
  has('integer', 'ref') && 'IsInt',
  some(({ isNullable }) => isNullable) && 'IsOptional',
  has('decimal') && 'Matches',
  has('integer', 'ref') && 'Max',
  has('integer', 'ref') && 'Min',
  has('text') && 'MinLength',
])}${choiceLists(resource)}
/** One ${kebab.replaceAll('-', ' ')}, as it is sent. */
@Exclude()
export class ${pascal} {
  @Expose() @Schema({ type: 'integer' }) id!: number;
${fields.map((field) => shown(resource, field)).join('')}  /** ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
}

/** A new ${kebab.replaceAll('-', ' ')}. */
export class Create${pascal} {
${fields.map((field) => received(resource, field, 'create')).join('\n')}}

/** Absent fields are not changed. */
export class Update${pascal} {
${fields.map((field) => received(resource, field, 'update')).join('\n')}}
`;
}

/** The values of each choice. */
function choiceLists(resource: Resource): string {
  const lists = resource.fields
    .filter(({ type }) => type === 'one-of')
    .map((field) => {
      const values = field.choices.map((choice) => `'${choice}'`).join(', ');
      return `/** The values of \`${field.name}\`. */\nexport const ${choicesName(resource, field)} = [${values}] as const;\n`;
    });
  return lists.length === 0 ? '' : `\n${lists.join('\n')}`;
}

function shown(resource: Resource, field: Field): string {
  const { name, type, isNullable } = field;
  const sent = type === 'timestamp' ? 'Date' : factsOf(resource, field).received;
  return `  @Expose() ${schemaText(resource, field)} ${name}!: ${sent}${isNullable ? ' | null' : ''};\n`;
}

function received(resource: Resource, field: Field, purpose: 'create' | 'update'): string {
  const { name, isNullable } = field;
  const { rules: ownRules, received: type } = factsOf(resource, field);
  const ifGiven = purpose === 'update' ? ['@IfGiven()'] : [];
  const rules = [...(isNullable ? ['@IsOptional()'] : ifGiven), ...ownRules];
  const mark = purpose === 'update' || isNullable ? '?' : '!';
  return `${rules.map((rule) => `  ${rule}\n`).join('')}  ${name}${mark}: ${type}${isNullable ? ' | null' : ''};\n`;
}
