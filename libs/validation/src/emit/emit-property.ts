import { type Code, code, member, type Scope, type TransformRule, useOfTransform } from '@app/shapes';
import type { PropertyPlan } from '../plan/plan';
import { selectType } from '../run/discriminator';
import { writePart } from './emit-part';
import { writeTests } from './emit-tests';
import { fallBack } from '../run/guard';
import { type ClassContext, FAILED, guardOf, ownPart } from './make-context';

/**
 * Generates the conversion of one key of a value, with its transforms, and the assignment of the property; then the
 * tests of its rules, if rules are tested.
 *
 * @param raw the name of the value of the key
 */
export function writeProperty(property: PropertyPlan, raw: Code, context: ClassContext): Code[] {
  const { scope, conversion, plan, tests } = context;
  const target = member(code`made`, property.name);
  const { exposeUnsetFields, exposeDefaultValues } = conversion.options;
  const set = exposeUnsetFields
    ? code`        ${target} = final;`
    : code`        if (final !== undefined) ${target} = final;`;
  const value = exposeDefaultValues
    ? [
        code`        let final;
        if (${raw} === undefined) final = ${target};
        else {
${writeValue(property, raw, context)}
        }`,
      ]
    : [code`        let final;`, ...writeValue(property, raw, context)];
  const body = [...value, set, ...(tests ? writeTests(property, context) : [])];
  const asked = writeTypeCall(property, context);
  // An existing function is kept: one can have been sent under the own name of a property, or under another one of its keys.
  const isTwice = property.key !== property.name || plan.repeated.has(property.name);
  if (plan.fields && !isTwice) return [...asked, ...body];
  return [
    ...asked,
    code`        if (!(${target} instanceof ${scope.hoist(Function, 'Function')})) {\n${body}\n        }${tests ? code` else ${FAILED}` : code``}`,
  ];
}

/** The type function is called for each value, since its class may change, and as a method of its declaration. */
function writeTypeCall({ name, content, reading }: PropertyPlan, { scope, plan }: ClassContext): Code[] {
  if (reading || (!content.typeFunction && !content.isDiscriminated)) return [];
  const asked = content.typeFunction
    ? code`${scope.hoist(plan.shape.typeOf.get(name)!.rule, 'typed')}.typeFunction({ newObject: made, object: value, property: ${name} })`
    : scope.hoist(content.type, 'type');
  return [code`        const type = ${asked};`];
}

function writeValue(property: PropertyPlan, raw: Code, context: ClassContext): Code[] {
  const { reading, transforms, name } = property;
  const { scope, isGuarded } = context;
  if (reading) {
    const text = isGuarded ? code`        ${guardOf(context)}(${raw}, undefined, run);\n` : code``;
    const rest = writeConverted(property, raw, context);
    return [
      code`${text}        if (${raw} === undefined || ${raw} === null || (typeof ${raw} !== 'object' && typeof ${raw} !== 'function' && typeof ${raw} !== 'symbol' && typeof ${raw} !== 'bigint')) final = ${scope.hoist(reading.read, 'read')}(${raw});
        else {
${rest}
        final = ${scope.hoist(reading.transform, 'transform')}({ value: final, key: ${name}, obj: value, type: 0, options: run.options });
        }`,
    ];
  }
  return [
    ...writeConverted(property, raw, context),
    ...transforms.map((rule) => code`        final = ${writeTransform(rule, name, scope)};`),
  ];
}

/** Calls a transform with the arguments that it may read: the options are an object per call. */
function writeTransform({ transform, declared }: TransformRule, name: string, scope: Scope): Code {
  const { isOfValue, isArrow, seesOptions } = useOfTransform(transform);
  const call = code`${scope.hoist(declared, 'declared')}.transformFn`;
  if (isOfValue) return code`${call}({ value: final })`;
  const options = isArrow && !seesOptions ? code`` : code`, options: run.options`;
  return code`${call}({ value: final, key: ${name}, obj: value, type: 0${options} })`;
}

const CONVERTED = new Map<unknown, string>([
  [String, 'String'],
  [Number, 'Number'],
  [Boolean, 'Boolean'],
]);

function writeConverted(property: PropertyPlan, raw: Code, context: ClassContext): Code[] {
  const { content } = property;
  const { scope, conversion, isGuarded, plan } = context;
  const part = ownPart(property, context);
  if (isGuarded && !part)
    return [...writeListGuard(content.arrayType, raw, scope), ...writeGuarded(content, raw, context)];
  const isTyped = content.type !== undefined || content.typeFunction || content.arrayType !== undefined;
  if (!isTyped && !content.isDiscriminated)
    return [
      code`        final = typeof ${raw} === 'object' ? ${scope.hoist(conversion.convertUntyped, 'convertUntyped')}(${raw}, run) : ${raw};`,
    ];
  const convert = scope.hoist(conversion.convert, 'convert');
  const arrayType =
    content.arrayType === undefined
      ? code`undefined`
      : code`Array.isArray(${raw}) ? ${scope.hoist(content.arrayType)} : undefined`;
  const isMap = content.arrayType === Map ? code`true` : code`${raw} instanceof ${scope.hoist(Map, 'Map')}`;
  if (content.isDiscriminated) {
    const rule = plan.shape.typeOf.get(property.name)!;
    return [
      code`        const kind = ${scope.hoist(typeSelectorOf(rule), 'selectType')}(${raw}, type);
        final = ${convert}(${raw}, kind, ${arrayType}, ${isMap}, run);`,
    ];
  }
  const type = content.typeFunction ? code`type` : scopeType(content.type, scope);
  const whole = code`${convert}(${raw}, ${type}, ${arrayType}, ${isMap}, run)`;
  const single = CONVERTED.get(content.type);
  if (single !== undefined && content.arrayType !== Map) {
    const isType = content.typeFunction ? code`type === ${scope.hoist(content.type)} && ` : code``;
    return [
      code`        if (${isType}typeof ${raw} === ${single.toLowerCase()}) final = ${raw};
        else final = ${whole};`,
    ];
  }
  if (part) return [writePart(property, part, { raw, type, whole }, context)];
  return [code`        final = ${whole};`];
}

/** What most values are is decided in place; the rest is for a function. */
function writeGuarded(content: PropertyPlan['content'], raw: Code, context: ClassContext): Code[] {
  const { scope } = context;
  const type = content.typeFunction ? code`type` : scopeType(content.type, scope);
  const other = code`final = ${guardOf(context)}(${raw}, ${type}, run);`;
  const single = CONVERTED.get(content.type)?.toLowerCase();
  if (content.typeFunction || (single === undefined && content.type !== undefined))
    return [code`        ${other}`];
  const text = code`if (typeof ${raw} === 'string' && ${raw}.isWellFormed()) final = ${raw};`;
  const usual =
    single === undefined
      ? code`typeof ${raw} === 'number' || typeof ${raw} === 'boolean'`
      : code`typeof ${raw} === ${single}`;
  const first = single === 'string' || single === undefined ? [code`        ${text}`] : [];
  const second =
    single === 'string'
      ? []
      : [code`        ${first.length > 0 ? code`else ` : code``}if (${usual}) final = ${raw};`];
  return [...first, ...second, code`        else ${other}`];
}

/** A list class or a map: JSON has neither. */
function writeListGuard(arrayType: unknown, raw: Code, scope: Scope): Code[] {
  if (arrayType === undefined || arrayType === Array || arrayType === Object) return [];
  const give = scope.hoist(fallBack, 'fallBack');
  return [arrayType === Map ? code`        ${give}();` : code`        if (Array.isArray(${raw})) ${give}();`];
}

function scopeType(type: unknown, scope: Scope): Code {
  return type === undefined ? code`undefined` : scope.hoist(type);
}

/** Selects the class of each value by its discriminator. */
function typeSelectorOf(rule: unknown): (raw: unknown, asked: unknown) => unknown {
  return (raw, asked) => selectType(rule as never, raw, asked);
}
