import { type Code, code, joined, not, type Statements, when } from '../../shapes/code/code';
import { useOfTransform } from '../../shapes/transforms/transform-arguments';
import { type Operation, operationsOf } from '../plan/operations';
import type { Content, PropertyPlan } from '../plan/plan';
import { selectType } from '../run/discriminator';
import { isUnset, setField } from '../run/place';
import { writeTests } from './emit-tests';
import {
  type ClassContext,
  FAILED,
  failedIf,
  giveUp,
  guardOf,
  isList,
  isMapOf,
  isPart,
  memberOf,
  nameOf,
} from './make-context';

/** The context for the operations on a property. */
interface PropertyContext extends ClassContext {
  readonly property: PropertyPlan;
  /** The variable that holds the key's value. */
  readonly raw: Code;
}

/** The operation with a given kind. */
type Of<Kind extends Operation['kind']> = Extract<Operation, { readonly kind: Kind }>;

/** The code for each operation. */
const EMIT: {
  readonly [Kind in Operation['kind']]: (operation: Of<Kind>, context: PropertyContext) => Statements;
} = {
  ask: (_, context) => code`const type = ${askType(context)};`,
  unlessKept: ({ steps }, context) =>
    when(not(isKept(context)), writeSteps(steps, context), failedIf(context.tests)),
  ifSent: ({ steps }, context) =>
    when(code`${context.raw} === undefined`, assignTo(target(context)), emitAll(steps, context)),
  read: emitRead,
  select: ({ rule }, { raw, scope }) => {
    const select = (sent: unknown, asked: unknown) => selectType(rule as never, sent, asked);
    return code`const kind = ${scope.hoist(select, 'selectType')}(${raw}, type);`;
  },
  convert: emitConvert,
  descend: emitDescend,
  guardSingle: (_, context) => code`${guardOf(context)}(${context.raw}, undefined, run);`,
  guardList: ({ isAny }, { raw, scope }) => (isAny ? giveUp(scope) : when(isList(raw), giveUp(scope))),
  guardConvert: emitGuardedConvert,
  transform: emitTransform,
  assign: emitAssign,
  test: (_, context) => writeTests(context.property, context),
};

/** The types with values that need no conversion, and their `typeof` results. */
const SINGLE = new Map<unknown, string>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
]);

/**
 * Generates the code for a key in a value.
 *
 * @param raw the variable that holds the key's value
 */
export function writeProperty(property: PropertyPlan, raw: Code, context: ClassContext): Statements {
  return writeSteps(operationsOf(property, context.plan, context), { ...context, property, raw });
}

/** Generates the steps. The variable is declared before its first use, in the same block. */
function writeSteps(steps: readonly Operation[], context: PropertyContext): Code[] {
  const asks = steps.filter(({ kind }) => kind === 'ask' || kind === 'select').length;
  const [before, after] = [steps.slice(0, asks), steps.slice(asks)];
  const declaration = after[0]?.kind === 'unlessKept' ? [] : [code`let final;`];
  return [...emitAll(before, context), ...declaration, ...emitAll(after, context)];
}

function emitAll(steps: readonly Operation[], context: PropertyContext): Code[] {
  return steps.map((step) => code`${[emit(step, context)].flat()}`);
}

function emit<Kind extends Operation['kind']>(step: Of<Kind>, context: PropertyContext): Statements {
  return EMIT[step.kind as Kind](step, context);
}

/** Generates the type function's call, as a method of its declaration. */
function askType({ property: { name, content }, plan, scope }: PropertyContext): Code {
  if (!content.typeFunction) return scope.hoist(content.type, 'type');
  const typed = scope.hoist(plan.shape.typeOf.get(name)!.rule, 'typed');
  const argument = code`{ newObject: made, object: value, property: ${nameOf(name, scope)} }`;
  return code`${typed}.typeFunction(${argument})`;
}

/** Generates the direct read of a value. Any other value is converted and transformed, with all class-transformer arguments. */
function emitRead({ reading: { read, transform }, steps }: Of<'read'>, context: PropertyContext): Code {
  const { raw, scope, property } = context;
  const kinds = ['object', 'function', 'symbol', 'bigint'];
  const isReadable = joined(
    kinds.map((kind) => code`typeof ${raw} !== ${kind}`),
    ' && ',
  );
  const isRead = code`${raw} === undefined || ${raw} === null || (${isReadable})`;
  const key = nameOf(property.name, scope);
  const argument = code`{ value: final, key: ${key}, obj: value, type: 0, options: run.options }`;
  return when(isRead, assignTo(code`${scope.hoist(read, 'read')}(${raw})`), [
    ...emitAll(steps, context),
    assignTo(code`${scope.hoist(transform, 'transform')}(${argument})`),
  ]);
}

function emitConvert({ content }: Of<'convert'>, context: PropertyContext): Code {
  const { raw, scope, conversion } = context;
  const { type, arrayType, typeFunction, isDiscriminated } = content;
  if (type === undefined && arrayType === undefined && !typeFunction && !isDiscriminated) {
    const convert = scope.hoist(conversion.convertUntyped, 'convertUntyped');
    return assignTo(code`typeof ${raw} === 'object' ? ${convert}(${raw}, run) : ${raw}`);
  }
  const single = SINGLE.get(type);
  const converted = assignTo(convertedBy(content, context));
  if (single === undefined || isDiscriminated || arrayType === Map) return converted;
  return when(ifType(content, type, code`typeof ${raw} === ${single}`, context), assignTo(raw), converted);
}

function emitDescend({ part, content }: Of<'descend'>, context: PropertyContext): Code {
  const { raw, tests, trust } = context;
  const { arrayType } = content;
  const takesList = arrayType === undefined || arrayType === Array;
  const isOwnList = takesList ? ifType(content, part.type, isList(raw), context) : code`false`;
  const single = assignTo(trust.single(raw, convertedBy(content, context), context));
  const isObject = code`typeof final === 'object' && final !== null`;
  return when(
    ifType(content, part.type, isPart(raw), context),
    assignTo(code`${context.makerOf(part)}(${raw}, run)`),
    when(isOwnList, assignTo(code`${context.listMakerOf(part)}(${raw}, run)`), [
      single,
      ...(tests ? [when(isObject, FAILED)] : []),
    ]),
  );
}

/** Generates the conversion for untrusted input. The most common values are converted inline, and a function handles the rest. */
function emitGuardedConvert({ content }: Of<'guardConvert'>, context: PropertyContext): Code {
  const { type, typeFunction } = content;
  const { raw, property, scope } = context;
  const isUntyped = !typeFunction && (type === undefined || type === Object);
  // A nested object without a class is validated as what it is: the library creates it.
  const untyped = property.rules.nested.length > 0 ? scope.hoist(Object) : code`undefined`;
  const asked = isUntyped ? untyped : typeName(content, context);
  const guarded = assignTo(code`${guardOf(context)}(${raw}, ${asked}, run)`);
  const single = SINGLE.get(type);
  if (typeFunction || (single === undefined && !isUntyped)) return guarded;
  const isText = code`typeof ${raw} === 'string' && ${raw}.isWellFormed()`;
  const isOther = code`typeof ${raw} === 'number' || typeof ${raw} === 'boolean'`;
  if (single === 'string') return when(isText, assignTo(raw), guarded);
  if (single === undefined) return when(isText, assignTo(raw), when(isOther, assignTo(raw), guarded));
  return when(code`typeof ${raw} === ${single}`, assignTo(raw), guarded);
}

/** Generates the transform call with the arguments that the transform may read, because the options need an object per call. */
function emitTransform({ rule: { transform, declared } }: Of<'transform'>, context: PropertyContext): Code {
  const { scope, property } = context;
  const { isOfValue, isArrow, seesOptions } = useOfTransform(transform);
  const call = code`${scope.hoist(declared, 'declared')}.transformFn`;
  if (isOfValue) return assignTo(code`${call}({ value: final })`);
  const fields = code`value: final, key: ${nameOf(property.name, scope)}, obj: value, type: 0`;
  const argument = isArrow && !seesOptions ? code`{ ${fields} }` : code`{ ${fields}, options: run.options }`;
  return assignTo(code`${call}(${argument})`);
}

function emitAssign({ unlessUndefined }: Of<'assign'>, context: PropertyContext): Code {
  const { plan, property, scope } = context;
  const set = code`${target(context)} = final;`;
  const setOdd = () => {
    const name = nameOf(property.name, scope);
    return code`${scope.hoist(setField)}(made, ${name}, final);`;
  };
  const assign = plan.fields ? set : when(code`isOdd`, setOdd(), set);
  return unlessUndefined ? when(code`final !== undefined`, assign) : assign;
}

function assignTo(value: Code): Code {
  return code`final = ${value};`;
}

/**
 * Whether class-transformer leaves a property as it is. A property without a setter occurs only in instances of a different
 * class.
 */
function isKept(context: PropertyContext): Code {
  const { property, plan, scope } = context;
  const unset = () => code`${scope.hoist(isUnset)}(made, ${nameOf(property.name, scope)})`;
  if (plan.members.some(({ name }) => name === property.name)) return unset();
  const isFunction = code`${target(context)} instanceof ${scope.hoist(Function)}`;
  return plan.fields ? isFunction : code`isOdd ? ${unset()} : ${isFunction}`;
}

function target({ property, scope }: PropertyContext): Code {
  return memberOf(code`made`, property.name, scope);
}

/** Limits a test to values of a class if a type function determines the class. */
function ifType({ typeFunction }: Content, type: unknown, test: Code, { scope }: PropertyContext): Code {
  return typeFunction ? code`type === ${scope.hoist(type)} && ${test}` : test;
}

function typeName({ type, typeFunction }: Content, { scope }: PropertyContext): Code {
  if (typeFunction) return code`type`;
  return type === undefined ? code`undefined` : scope.hoist(type);
}

/** Generates the call to class-transformer's conversion. */
function convertedBy(content: Content, context: PropertyContext): Code {
  const { raw, scope, conversion } = context;
  const { arrayType, isDiscriminated } = content;
  const type = isDiscriminated ? code`kind` : typeName(content, context);
  const convert = scope.hoist(conversion.convert, 'convert');
  const list =
    arrayType === undefined ? undefined : code`${isList(raw)} ? ${scope.hoist(arrayType)} : undefined`;
  const isMap = arrayType === Map ? true : isMapOf(raw, scope);
  return code`${convert}(${raw}, ${type}, ${list}, ${isMap}, run)`;
}
