import { type Code, code } from '../../shapes/code/code';
import type { Scope } from '../../shapes/code/scope';
import { useOfTransform } from '../../shapes/transforms/transform-arguments';
import { type Operation, operationsOf } from '../plan/operations';
import type { PropertyPlan } from '../plan/plan';
import { selectType } from '../run/discriminator';
import { fallBack } from '../run/guard';
import { isUnset, setField } from '../run/place';
import { writeTests } from './emit-tests';
import { type ClassContext, FAILED, guardOf, memberOf, nameOf } from './make-context';

/** The context of the operations of one property. */
interface PropertyContext extends ClassContext {
  readonly property: PropertyPlan;
  /** The name of the value of the key. */
  readonly raw: Code;
}

/** The code of each operation. */
const EMIT: {
  readonly [Kind in Operation['kind']]: (
    operation: Extract<Operation, { readonly kind: Kind }>,
    context: PropertyContext,
  ) => Code;
} = {
  /** Called as a method of its declaration. */
  ask: (_, { property: { name, content }, plan, scope }) => {
    const asked = content.typeFunction
      ? code`${scope.hoist(plan.shape.typeOf.get(name)!.rule, 'typed')}.typeFunction({ newObject: made, object: value, property: ${nameOf(name, scope)} })`
      : scope.hoist(content.type, 'type');
    return code`        const type = ${asked};`;
  },

  unlessKept: ({ steps }, context) => {
    const failed = context.tests ? code` else ${FAILED}` : code``;
    return code`        if (!(${writeKept(context)})) {\n${writeSteps(steps, context)}\n        }${failed}`;
  },

  ifSent: ({ steps }, context) => code`        if (${context.raw} === undefined) final = ${target(context)};
        else {
${steps.map((step) => emit(step, context))}
        }`,

  read: ({ reading: { read, transform }, steps }, context) => {
    const { raw, scope, property } = context;
    return code`        if (${raw} === undefined || ${raw} === null || (typeof ${raw} !== 'object' && typeof ${raw} !== 'function' && typeof ${raw} !== 'symbol' && typeof ${raw} !== 'bigint')) final = ${scope.hoist(read, 'read')}(${raw});
        else {
${steps.map((step) => emit(step, context))}
        final = ${scope.hoist(transform, 'transform')}({ value: final, key: ${nameOf(property.name, scope)}, obj: value, type: 0, options: run.options });
        }`;
  },

  select: ({ rule }, { raw, scope }) => {
    const select = (sent: unknown, asked: unknown) => selectType(rule as never, sent, asked);
    return code`        const kind = ${scope.hoist(select, 'selectType')}(${raw}, type);`;
  },

  convert: ({ content }, context) => {
    const { raw, scope, conversion } = context;
    const { type, arrayType, typeFunction, isDiscriminated } = content;
    if (type === undefined && arrayType === undefined && !typeFunction && !isDiscriminated)
      return code`        final = typeof ${raw} === 'object' ? ${scope.hoist(conversion.convertUntyped, 'convertUntyped')}(${raw}, run) : ${raw};`;
    const single = SINGLE.get(type);
    const whole = writeConversion(content, context);
    if (single === undefined || isDiscriminated || arrayType === Map) return code`        final = ${whole};`;
    const isType = typeFunction ? code`type === ${scope.hoist(type)} && ` : code``;
    return code`        if (${isType}typeof ${raw} === ${single}) final = ${raw};
        else final = ${whole};`;
  },

  descend: ({ part, content }, context) => {
    const { raw, scope, tests, trust } = context;
    const asked = content.typeFunction ? code`type === ${scope.hoist(part.type)} && ` : code``;
    const takesList = content.arrayType === undefined || content.arrayType === Array;
    const list = takesList ? code`${asked}Array.isArray(${raw})` : code`false`;
    const failed = tests
      ? code`\n          if (typeof final === 'object' && final !== null) ${FAILED}`
      : code``;
    return code`        if (${asked}typeof ${raw} === 'object' && ${raw} !== null && !Array.isArray(${raw})) final = ${context.makerOf(part)}(${raw}, run);
        else if (${list}) final = ${context.listMakerOf(part)}(${raw}, run);
        else {
          final = ${trust.single(raw, writeConversion(content, context), context)};${failed}
        }`;
  },

  guardSingle: (_, context) => code`        ${guardOf(context)}(${context.raw}, undefined, run);`,

  guardList: ({ isAny }, { raw, scope }) => {
    const give = code`${scope.hoist(fallBack, 'fallBack')}();`;
    return isAny ? code`        ${give}` : code`        if (Array.isArray(${raw})) ${give}`;
  },

  /** What most values are is decided in place; the rest is for a function. */
  guardConvert: ({ content: { type, typeFunction } }, context) => {
    const { raw, scope } = context;
    const other = code`final = ${guardOf(context)}(${raw}, ${typeOf(type, typeFunction, scope)}, run);`;
    const single = SINGLE.get(type);
    if (typeFunction || (single === undefined && type !== undefined)) return code`        ${other}`;
    const text = code`        if (typeof ${raw} === 'string' && ${raw}.isWellFormed()) final = ${raw};`;
    if (single === 'string') return code`${text}\n        else ${other}`;
    if (single === undefined)
      return code`${text}\n        else if (typeof ${raw} === 'number' || typeof ${raw} === 'boolean') final = ${raw};\n        else ${other}`;
    return code`        if (typeof ${raw} === ${single}) final = ${raw};\n        else ${other}`;
  },

  /** With the arguments that it may read: the options are an object per call. */
  transform: ({ rule: { transform, declared } }, { scope, property }) => {
    const { isOfValue, isArrow, seesOptions } = useOfTransform(transform);
    const call = code`${scope.hoist(declared, 'declared')}.transformFn`;
    if (isOfValue) return code`        final = ${call}({ value: final });`;
    const options = isArrow && !seesOptions ? code`` : code`, options: run.options`;
    return code`        final = ${call}({ value: final, key: ${nameOf(property.name, scope)}, obj: value, type: 0${options} });`;
  },

  assign: ({ unlessUndefined }, context) => {
    const { plan, property, scope } = context;
    const set = code`${target(context)} = final;`;
    const odd = () =>
      code`${scope.hoist(setField, 'setField')}(made, ${nameOf(property.name, scope)}, final);`;
    const all = plan.fields ? set : code`if (isOdd) ${odd()} else ${set}`;
    return unlessUndefined ? code`        if (final !== undefined) { ${all} }` : code`        ${all}`;
  },

  test: (_, context) => code`${writeTests(context.property, context)}`,
};

/** The types of which values need no conversion, and the result of `typeof` for them. */
const SINGLE = new Map<unknown, string>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
]);

/**
 * Generates what is done with one key of a value.
 *
 * @param raw the name of the value of the key
 */
export function writeProperty(property: PropertyPlan, raw: Code, context: ClassContext): Code {
  return writeSteps(operationsOf(property, context.plan, context), { ...context, property, raw });
}

/** The variable is declared before its first use, in the block of that. */
function writeSteps(steps: readonly Operation[], context: PropertyContext): Code {
  const written = steps.map((step) => emit(step, context));
  const asks = steps.filter(({ kind }) => kind === 'ask' || kind === 'select').length;
  const isInside = steps[asks]?.kind === 'unlessKept';
  return code`${isInside ? written : [...written.slice(0, asks), code`        let final;`, ...written.slice(asks)]}`;
}

function emit<Kind extends Operation['kind']>(
  step: Extract<Operation, { readonly kind: Kind }>,
  context: PropertyContext,
): Code {
  return EMIT[step.kind as Kind](step, context);
}

/** Whether class-transformer leaves a property as it is. Only an instance of another class may have it without a setter. */
function writeKept(context: PropertyContext): Code {
  const { property, plan, scope } = context;
  const unset = () => code`${scope.hoist(isUnset, 'isUnset')}(made, ${nameOf(property.name, scope)})`;
  if (plan.members.some((one) => one.name === property.name)) return unset();
  const isFunction = code`${target(context)} instanceof ${scope.hoist(Function, 'Function')}`;
  return plan.fields ? isFunction : code`isOdd ? ${unset()} : ${isFunction}`;
}

function target({ property, scope }: PropertyContext): Code {
  return memberOf(code`made`, property.name, scope);
}

function typeOf(type: unknown, typeFunction: unknown, scope: Scope): Code {
  if (typeFunction) return code`type`;
  return type === undefined ? code`undefined` : scope.hoist(type);
}

/** The call of class-transformer's conversion. */
function writeConversion(
  content: PropertyPlan['content'],
  { raw, scope, conversion }: PropertyContext,
): Code {
  const { type, arrayType, typeFunction, isDiscriminated } = content;
  const asked = isDiscriminated ? code`kind` : typeOf(type, typeFunction, scope);
  const list =
    arrayType === undefined
      ? code`undefined`
      : code`Array.isArray(${raw}) ? ${scope.hoist(arrayType)} : undefined`;
  const isMap = arrayType === Map ? code`true` : code`${raw} instanceof ${scope.hoist(Map, 'Map')}`;
  return code`${scope.hoist(conversion.convert, 'convert')}(${raw}, ${asked}, ${list}, ${isMap}, run)`;
}
