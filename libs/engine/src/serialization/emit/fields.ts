import { type Code, code, member } from '../../shapes/code/code';
import type { Scope } from '../../shapes/code/scope';
import { nameOfClass } from '../../shapes/named';
import { TransformationType } from 'class-transformer';
import type { Field, FieldTransform, Part } from '../plan/plan-class';
import type { EmitContext, Layout } from './layout';
import { dateText, isoDate } from './text/iso-date';
import { declaredPart } from './slow-fields';
import { quote } from './text/quote';
import type { Form } from './values';

/** A field during code generation. */
export interface Draft {
  readonly field: Field;
  readonly context: EmitContext;
  readonly scope: Scope;
  /** The variable with the field's value before its transforms. */
  readonly first: Code;
  /** The variable with the value to write. */
  readonly current: Code;
  /** The variable with the converted value. */
  readonly result: Code;
  /** The text before the field's value: `,"id":`. */
  readonly label: string;
}

/**
 * Generates the statements that write the text of `value` and return it.
 *
 * The first field opens the object; if that field is absent, the text is opened afterwards.
 */
export function textBody({ fields }: Layout, context: EmitContext, scope: Scope): Code[] {
  if (fields.length === 0) return [code`  return '{}';`];
  const [opening, ...rest] = draftsOf(fields, context, scope);
  return [
    ...readLines(opening),
    code`  const opening = ${textOf(opening)};`,
    code`  let text = opening;`,
    ...rest.flatMap((draft) => [...readLines(draft), code`  text += ${textOf(draft)};`]),
    code`  return opening === '' ? '{' + text.slice(1) + '}' : text + '}';`,
  ];
}

/** Generates the statements that convert `value` to a form and return it. */
export function formBody({ fields }: Layout, context: EmitContext, scope: Scope, form: Form): Code[] {
  const drafts = draftsOf(fields, context, scope);
  if (form === 'plain' && !context.options.exposeUnsetFields) {
    const lines = drafts.flatMap((draft) => [...readLines(draft), ...assignment(draft)]);
    return [code`  const plain = {};`, ...lines, code`  return plain;`];
  }
  const lines = drafts.flatMap((draft) => {
    const expression = form === 'plain' ? plainOf(draft) : jsonOf(draft);
    return [...readLines(draft), code`  const ${draft.result} = ${expression};`];
  });
  const entries = drafts.map(({ field, result }) => code`    ${field.name}: ${result},`);
  return [...lines, code`  return {`, ...entries, code`  };`];
}

function draftsOf(fields: readonly Field[], context: EmitContext, scope: Scope): Draft[] {
  return fields.map((field, at) => draftOf(field, context, scope, at === 0 ? '{' : ','));
}

/** @param before the character before the name */
export function draftOf(field: Field, context: EmitContext, scope: Scope, before: '{' | ','): Draft {
  return {
    field,
    context,
    scope,
    first: scope.fresh(`${field.property}_first`),
    current: scope.fresh(field.property),
    result: scope.fresh(`${field.property}_made`),
    label: `${before}${JSON.stringify(field.name)}:`,
  };
}

/**
 * Reads a field into its variables, as often and in the order as class-transformer reads it.
 *
 * @param read the expression for the first read
 */
export function readLines({ field, context, scope, first, current }: Draft, read = ownOf(field)): Code[] {
  const { property, transforms, isMember } = field;
  const own = ownOf(field);
  if (isMember) return [];
  if (transforms.length === 0) return [code`  const ${current} = ${read};`];
  const called = code`${scope.hoist(context.values.called, 'called')}(value, ${property})`;
  return [
    code`  let ${current} = ${read};`,
    code`  const ${first} = typeof ${current} === 'function' ? ${called} : ${current};`,
    ...transforms.flatMap((transform) => transformLines({ field, context, scope, current }, transform)),
    code`  if (${own} === ${current}) ${current} = ${first};`,
  ];
}

function ownOf({ property }: Field): Code {
  return member(code`value`, property);
}

type Transformed = Pick<Draft, 'field' | 'context' | 'scope' | 'current'>;

/** Generates a transform call. A transform that reads the call options may also write to them. */
function transformLines(draft: Transformed, transform: FieldTransform): Code[] {
  const line = code`  ${draft.current} = ${transformed(draft, transform)};`;
  if (!transform.seesOptions) return [line];
  return [line, code`  ${draft.scope.hoist(draft.context.call, 'call')}.assertSameOptions();`];
}

function transformed({ field, context, scope, current }: Transformed, transform: FieldTransform): Code {
  const call = transform.isArrow
    ? scope.hoist(transform.call, `transform_${field.property}`)
    : code`${scope.hoist(transform.declared, `declared_${field.property}`)}.transformFn`;
  if (transform.isOfValue) return code`${call}({ value: ${current} })`;
  const type = TransformationType.CLASS_TO_PLAIN;
  const members = code`value: ${current}, key: ${field.property}, obj: value, type: ${type}`;
  if (!transform.seesOptions) return code`${call}({ ${members} })`;
  return code`${call}({ ${members}, options: ${scope.hoist(context.call, 'call')}.options() })`;
}

/** Generates an expression for a field's text with its label; the text is empty if the field is absent. */
export function textOf(draft: Draft): Code {
  return chosen(draft, slowOf(draft, 'text'), quickOf(draft, 'text'));
}

/** Generates an expression for a field with any value: its text with its label, or its form. */
function slowOf({ field, context, scope, first, current, label }: Draft, kind: 'text' | Form): Code {
  const slow = scope.hoist(context.slow[kind], `${kind}_of`);
  const part = partOf(field.part, context, scope);
  const start = kind === 'text' ? code`${label}, ` : code``;
  if (field.isMember)
    return code`${slow}.member(${start}value, ${scope.hoist(field, field.property)}, ${part})`;
  return field.transforms.length > 0
    ? code`${slow}.last(${start}${current}, ${first}, ${part})`
    : code`${slow}.held(${start}value, ${current}, ${field.property}, ${part})`;
}

function partOf(part: Part, context: EmitContext, scope: Scope): Code {
  if (part.kind === 'any') return code`undefined`;
  if (part.kind === 'selected') return scope.hoist(declaredPart(part, context), 'selected');
  return part.kind === 'class'
    ? scope.hoist(context.writerOf(part.type), nameOfClass(part.type))
    : scope.hoist(part.type);
}

/** The conversion of a value that passes a test. */
type Quick = readonly [test: Code, made: Code];

/** Selects the first fast conversion with a test that holds, or else the slow conversion. */
function chosen(draft: Draft, slow: Code, quick: readonly Quick[]): Code {
  if (draft.field.isMember) return slow;
  const choice = quick.reduceRight(
    (otherwise, [test, result]) => code`${test} ? ${result}
    : ${otherwise}`,
    slow,
  );
  return draft.field.transforms.length === 0 ? choice : code`${becameMap(draft)} ? ${slow}\n    : ${choice}`;
}

/**
 * Tests whether a field became a Map. class-transformer tests for a Map before the transforms; for an undeclared field, the slow
 * conversion does the same.
 */
function becameMap({ field, scope, first, current }: Draft): Code {
  const map = scope.hoist(Map);
  const now = field.part.kind === 'class' ? code` || ${current} instanceof ${map}` : code``;
  return code`${first} instanceof ${map}${now}`;
}

/** Lists the value types that are converted inline, to text or to an argument of JSON.stringify. */
function quickOf(draft: Draft, kind: 'text' | 'json'): readonly Quick[] {
  const { field, context, current, scope, label } = draft;
  const { part } = field;
  const isText = kind === 'text';
  const labelled = (value: Code): Code => (isText ? code`${label} + ${value}` : value);
  const text: Quick = [
    code`typeof ${current} === 'string'`,
    labelled(isText ? code`${scope.hoist(quote)}(${current})` : current),
  ];
  const number: Quick = [
    code`typeof ${current} === 'number'`,
    labelled(isText ? code`(${current} - ${current} === 0 ? ${current} : null)` : current),
  ];
  const date: Quick = [
    code`${current} instanceof ${scope.hoist(Date)}`,
    labelled(code`${scope.hoist(isText ? dateText : isoDate)}(${current}.valueOf())`),
  ];
  if (part.kind === 'any') return isText ? [text, number] : [isSimple(current), date];
  if (part.kind === 'class') {
    const writer = scope.hoist(context.writerOf(part.type), nameOfClass(part.type));
    const isList = code`${scope.hoist(Array.isArray, 'isArray')}(${current})`;
    const [list, single] = isText ? [code`list`, code`text`] : [code`listJson`, code`json`];
    const written = code`(${isList} ? ${writer}.${list}(${current}) : ${writer}.${single}(${current}))`;
    return [[code`typeof ${current} === 'object' && ${current} !== null`, labelled(written)]];
  }
  const byType = new Map<unknown, Quick>([
    [String, text],
    [Number, number],
    [Date, date],
  ]);
  const quick = part.kind === 'builtIn' && byType.get(part.type);
  return quick ? [quick] : [];
}

/** Passes the values that JSON.stringify writes like class-transformer. */
function isSimple(current: Code): Quick {
  return [
    code`typeof ${current} !== 'object' && typeof ${current} !== 'function' || ${current} === null`,
    current,
  ];
}

/** Generates an expression for the field value that is passed to JSON.stringify. */
export function jsonOf(draft: Draft): Code {
  return chosen(draft, slowOf(draft, 'json'), quickOf(draft, 'json'));
}

/** Generates an expression for the `instanceToPlain` result of a field. */
export function plainOf(draft: Draft): Code {
  const { field, current } = draft;
  const isDirect = field.part.kind === 'any' || field.part.kind === 'class';
  const direct: Quick = [code`typeof ${current} !== 'object' && typeof ${current} !== 'function'`, current];
  return chosen(draft, slowOf(draft, 'plain'), isDirect ? [direct] : []);
}

export function assignment(draft: Draft): Code[] {
  const { field, result } = draft;
  return [
    code`  const ${result} = ${plainOf(draft)};`,
    code`  if (${result} !== undefined) ${member(code`plain`, field.name)} = ${result};`,
  ];
}
