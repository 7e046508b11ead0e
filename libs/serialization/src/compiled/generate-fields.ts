import { type Code, code, member, type Scope } from '@app/shapes';
import { TransformationType } from 'class-transformer';
import { isMapped, type Layout, partWriter, stepOf, type Workshop } from './layout';
import type { Field } from './plan';
import { readsValueOnly } from './reads-value-only';
import { isoDate } from './text/iso-date';
import { quote } from './text/quote';

/** One field while it is written down. */
interface Draft {
  readonly field: Field;
  readonly workshop: Workshop;
  readonly scope: Scope;
  /** The variable that holds what stands in the field before its transforms. */
  readonly first: Code;
  /** The variable that holds what is written. */
  readonly held: Code;
  /** What stands before the text of the field: `,"id":`. */
  readonly label: string;
}

/**
 * The statements that write the text of `value`, and return it.
 *
 * The first field opens the object; the text is opened afterwards where that field is absent.
 */
export function textBody({ fields }: Layout, workshop: Workshop, scope: Scope): Code[] {
  if (fields.length === 0) return [code`  return '{}';`];
  const [opening, ...rest] = draftsOf(fields, workshop, scope);
  return [
    ...readLines(opening),
    code`  const opening = ${textOf(opening)};`,
    code`  let text = opening;`,
    ...rest.flatMap((draft) => [...readLines(draft), code`  text += ${textOf(draft)};`]),
    code`  return opening === '' ? '{' + text.slice(1) + '}' : text + '}';`,
  ];
}

/** The statements that make a plain object of `value`, and return it. */
export function plainBody({ fields }: Layout, workshop: Workshop, scope: Scope): Code[] {
  const lines = draftsOf(fields, workshop, scope).flatMap((draft) => [
    ...readLines(draft),
    assignment(draft),
  ]);
  return [code`  const plain = {};`, ...lines, code`  return plain;`];
}

function draftsOf(fields: readonly Field[], workshop: Workshop, scope: Scope): Draft[] {
  return fields.map((field, at) => ({
    field,
    workshop,
    scope,
    first: scope.fresh(`${field.property}_first`),
    held: scope.fresh(field.property),
    label: `${at === 0 ? '{' : ','}${JSON.stringify(field.name)}:`,
  }));
}

/** Puts what stands in a field into its variables, as often and in the order as class-transformer reads it. */
function readLines({ field, workshop, scope, first, held }: Draft): Code[] {
  const { property, transforms, isMember } = field;
  const own = member(code`value`, property);
  if (isMember) return [];
  if (transforms.length === 0) return [code`  const ${held} = ${own};`];
  const called = code`${scope.hoist(workshop.values.called, 'called')}(value, ${property})`;
  return [
    code`  let ${held} = ${own};`,
    code`  const ${first} = typeof ${held} === 'function' ? ${called} : ${held};`,
    ...transforms.map(
      (transform) => code`  ${held} = ${transformed({ field, workshop, scope, held }, transform)};`,
    ),
    code`  if (${own} === ${held}) ${held} = ${first};`,
  ];
}

function transformed(draft: Omit<Draft, 'first' | 'label'>, transform: Function): Code {
  const { field, workshop, scope, held } = draft;
  const call = scope.hoist(transform, `transform_${field.property}`);
  if (readsValueOnly(transform)) return code`${call}({ value: ${held} })`;
  const options = scope.hoist(workshop.options, 'options');
  const type = TransformationType.CLASS_TO_PLAIN;
  return code`${call}({ value: ${held}, key: ${field.property}, obj: value, type: ${type}, options: ${options} })`;
}

/** An expression for the text of a field with its label, or for nothing when it is absent. */
function textOf(draft: Draft): Code {
  const { field, scope, first, held } = draft;
  const slow = code`${scope.hoist(slowText(draft), `text_of_${field.property}`)}`;
  if (field.isMember) return code`${slow}(value)`;
  const hasTransforms = field.transforms.length > 0;
  const rest = hasTransforms ? code`${slow}(value, ${held}, ${first})` : code`${slow}(value, ${held})`;
  const choice = quickTexts(draft).reduceRight(
    (other, [test, text]) => code`${test} ? ${draft.label} + ${text}
    : ${other}`,
    rest,
  );
  if (!hasTransforms) return choice;
  const map = scope.hoist(Map);
  const becameMap = field.part.kind === 'class' ? code` || ${held} instanceof ${map}` : code``;
  return code`${first} instanceof ${map}${becameMap} ? ${rest}
    : ${choice}`;
}

type Quick = readonly [test: Code, text: Code];

/** The values whose text is written on the spot. */
function quickTexts({ field: { part }, workshop, held, scope }: Draft): readonly Quick[] {
  const text: Quick = [code`typeof ${held} === 'string'`, code`${scope.hoist(quote)}(${held})`];
  const number: Quick = [code`typeof ${held} === 'number'`, code`(${held} - ${held} === 0 ? ${held} : null)`];
  const date: Quick = [
    code`${held} instanceof ${scope.hoist(Date)}`,
    code`${scope.hoist(isoDate)}(${held}.valueOf())`,
  ];
  if (part.kind === 'any') return [text, number, date];
  if (part.kind === 'reference') return [];
  if (part.kind === 'class') {
    const writer = scope.hoist(workshop.writerOf(part.type), part.type.name);
    const isList = scope.hoist(Array.isArray, 'isArray');
    return [
      [
        code`typeof ${held} === 'object' && ${held} !== null`,
        code`(${isList}(${held}) ? ${writer}.list(${held}) : ${writer}.text(${held}))`,
      ],
    ];
  }
  const known = new Map<Function, Quick>([
    [String, text],
    [Number, number],
    [Date, date],
  ]);
  const one = known.get(part.type);
  return one ? [one] : [];
}

/** Writes a field whatever it holds. */
function slowText({ field, workshop, label }: Draft) {
  const step = stepOf(field, workshop);
  const labelled = (text: string | undefined) => (text === undefined ? '' : label + text);
  if (field.isMember) return (value: object) => labelled(step.text(value));
  const part = partWriter(field, workshop);
  if (field.transforms.length > 0) {
    return (_: object, last: unknown, first: unknown) =>
      labelled(isMapped(first, last) ? part.mapText(last, first) : part.text(last));
  }
  const { called } = workshop.values;
  return (value: object, held: unknown) =>
    labelled(part.text(typeof held === 'function' ? called(value, field.property) : held));
}

function assignment(draft: Draft): Code {
  const { field, workshop, scope, first, held } = draft;
  const slow = scope.hoist(slowPlain(draft), `plain_of_${field.property}`);
  const target = member(code`plain`, field.name);
  const isDirect = !field.isMember && (field.part.kind === 'any' || field.part.kind === 'class');
  const whole =
    field.transforms.length > 0 && !field.isMember
      ? code`${slow}(value, ${held}, ${first})`
      : field.isMember
        ? code`${slow}(value)`
        : code`${slow}(value, ${held})`;
  const made = isDirect
    ? code`typeof ${held} === 'object' || typeof ${held} === 'function' ? ${whole} : ${held}`
    : whole;
  if (workshop.options.exposeUnsetFields) return code`  ${target} = ${made};`;
  const result = scope.fresh(`${field.property}_plain`);
  return code`  const ${result} = ${made};
  if (${result} !== undefined) ${target} = ${result};`;
}

function slowPlain({ field, workshop }: Draft) {
  const step = stepOf(field, workshop);
  if (field.isMember) return (value: object) => step.plain(value);
  const part = partWriter(field, workshop);
  if (field.transforms.length > 0) {
    return (_: object, last: unknown, first: unknown) =>
      isMapped(first, last) ? part.mapPlain(last, first) : part.plain(last);
  }
  const { called } = workshop.values;
  return (value: object, held: unknown) =>
    part.plain(typeof held === 'function' ? called(value, field.property) : held);
}
