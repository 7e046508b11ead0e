import { isFunction, prototypeOf, unlessThrown } from '../../shapes/values';
import { type PropertyRules, readRules, type RuleShape, type ValueRule } from '../../shapes/rules/rule-shape';
import { propertyOf } from '../../shapes/transforms/declared-rules';
import { type Reading, readingOf } from '../../shapes/transforms/own-reading';
import { selectTransforms } from '../../shapes/transforms/selection';
import { useOfTransform } from '../../shapes/transforms/transform-arguments';
import {
  type ExposeRule,
  readTransforms,
  type TransformRule,
  type TransformShape,
  type TypeRule,
} from '../../shapes/transforms/transform-shape';
import type { ClassTransformOptions } from 'class-transformer';
import { eachIs } from '../built-in-rules/each';
import { initialFields } from './initial-fields';
import { designType } from './declared-property';
import type { CompiledTest } from '../built-in-rules/rule';
import { compileTest, ruleTests } from '../built-in-rules/rules';
import type { Settings } from './settings';

/** The plan of a class, which is the input for code generation. */
export interface ClassPlan {
  readonly type: new () => object;
  readonly shape: TransformShape;
  readonly rules: RuleShape;
  readonly settings: Settings;
  /** The input keys with their own conversion, in declaration order. */
  readonly properties: readonly PropertyPlan[];
  readonly byKey: ReadonlyMap<string, PropertyPlan>;
  /** The properties with names that are not ordinary fields: class members, reserved names, symbols. */
  readonly members: readonly PropertyPlan[];
  /** The properties that several keys set. */
  readonly repeated: ReadonlySet<string>;
  /** Whether every property with rules has an input key with its own conversion. */
  readonly isComplete: boolean;
  /** Whether exactly the keys of a value are converted. */
  readonly takesOwnKeys: boolean;
  /** Whether other keys are copied. Single values stay unchanged, unless the key names a member. */
  readonly isCopied: boolean;
  /** An instance's initial properties; unknown if a constructor does more than assign literals. */
  readonly fields: Readonly<Record<string, unknown>> | undefined;
  /** Whether an instance may differ from the values that were set. Such an instance is always validated when it is complete. */
  readonly isAmbiguous: boolean;
  /** Whether user code never gets the object or its instance during creation, because transforms get single values. */
  readonly hasNoUserCode: boolean;
}

/** The conversion and validation plan for a property. */
export interface PropertyPlan {
  readonly name: string;
  /** The name in the input. */
  readonly key: string;
  /** Whether the property has rules, because only such properties are in a whitelist. */
  readonly isListed: boolean;
  readonly content: Content;
  readonly transforms: readonly TransformRule[];
  /** The transform, if it is a function that uses the sent value only. */
  readonly reading: { readonly read: Reading; readonly transform: Function } | undefined;
  readonly rules: PropertyRules;
  /** The known rules without user code, which may be tested before the instance is complete. */
  readonly planned: KnownRules | undefined;
  /** Whether the rules only have messages, in rule order. */
  readonly hasMessagesOnly: boolean;
  /** Whether the rules hold for the field's initial value, so that the property may be absent. */
  readonly mayBeAbsent: boolean;
}

/** The property rules that can be compiled. */
export interface KnownRules {
  readonly isOptional: boolean;
  readonly isIfGiven: boolean;
  readonly defined: readonly PlannedRule[];
  readonly leaves: readonly PlannedRule[];
  readonly isNested: boolean;
}

export interface PlannedRule extends CompiledTest {
  readonly rule: ValueRule;
  readonly isEach: boolean;
}

/** The information that determines a value's class. */
export interface Content {
  /** The type function, called for each value; absent if there is only the compiler's metadata. */
  readonly typeFunction: TypeRule['typeFunction'];
  /** The class for every value, as far as it is known. */
  readonly type: unknown;
  readonly arrayType: unknown;
  /** Whether a field in the value selects the class. */
  readonly isDiscriminated: boolean;
}

/** Reads and plans a class. */
export function planClass(type: Function, settings: Settings, options: ClassTransformOptions): ClassPlan {
  const rules = readRules(type, settings);
  const shape = readTransforms(type);
  const fields = shape.leftToLibrary ? undefined : initialFields(type);
  const keys = keysOf(shape, rules);
  const context = { type, shape, settings, options, fields, rules };
  const [properties = [], members = []] = [false, true].map((isMember) =>
    keys.filter((key) => isMemberKey(key, context) === isMember).map((key) => planKey(key, context)),
  );
  const names = new Set(properties.flatMap(({ name, isListed }) => (isListed ? name : [])));
  const all = properties.map(({ name }) => name);
  const takesOwnKeys =
    !(type.prototype instanceof Map) &&
    shape.strategy === 'none' &&
    shape.excluded.length === 0 &&
    shape.exposed.every(isAlways) &&
    isUsual(options);
  const isComplete = rules.properties.every(({ name }) => names.has(name));
  const hasNoUserCode =
    fields !== undefined &&
    properties.every(
      ({ transforms, content }) =>
        !content.isDiscriminated && transforms.every(({ transform }) => useOfTransform(transform).isOfValue),
    );
  const hasBareField = Object.keys(fields ?? {}).some((name) => !names.has(name));
  return {
    type: type as new () => object,
    shape,
    rules,
    settings,
    properties,
    byKey: new Map(properties.map((property) => [property.key, property])),
    members,
    repeated: new Set(all.filter((name, at) => all.indexOf(name) !== at)),
    isComplete,
    takesOwnKeys,
    isCopied:
      takesOwnKeys && fields !== undefined && members.length === 0 && !options.enableImplicitConversion,
    fields,
    isAmbiguous:
      fields === undefined ||
      !isComplete ||
      !takesOwnKeys ||
      rules.isEmpty ||
      (settings.whitelist && hasBareField),
    hasNoUserCode,
  };
}

interface PlanContext {
  readonly type: Function;
  readonly shape: TransformShape;
  readonly settings: Settings;
  readonly options: ClassTransformOptions;
  readonly fields: ClassPlan['fields'];
  readonly rules: RuleShape;
}

function keysOf(shape: TransformShape, rules: RuleShape): string[] {
  const exposed = shape.exposed.map(({ name, property }) => name || property);
  const listed = rules.properties
    .map(({ name }) => ({ name, depth: depthOf(rules, name) }))
    .toSorted((a, b) => a.depth - b.depth)
    .map(({ name }) => name);
  const keys = new Set([...listed, ...exposed, ...shape.typeOf.keys(), ...shape.transformsOf.keys()]);
  for (const key of NEVER_READ) keys.delete(key);
  return [...keys];
}

/** The keys that class-transformer skips, whichever property they are exposed for. */
const NEVER_READ = ['__proto__', 'constructor'];

/** Counts the ancestors above the class that first declares a property, because most values have inherited fields first. */
function depthOf({ byName }: RuleShape, name: string): number {
  const depths = (byName[name] ?? []).map((rule) => {
    let depth = 0;
    for (let current: unknown = (rule as { readonly target: unknown }).target; current; depth += 1)
      current = prototypeOf(current);
    return depth;
  });
  return Math.min(...depths);
}

/** Returns empty rules, for a property that only class-transformer's decorators declare. */
function noRules(name: string): PropertyRules {
  const none = { defined: [], leaves: [], conditions: [], nested: [], declared: [] };
  return { name, ...none, isOptional: false, isIfGiven: false, awaitsPromise: false };
}

/** Whether the options convert exactly the value's keys. */
function isUsual(options: ClassTransformOptions): boolean {
  const { strategy, excludePrefixes, exposeUnsetFields, excludeExtraneousValues, exposeDefaultValues } =
    options;
  return (
    strategy !== 'excludeAll' &&
    !excludePrefixes?.length &&
    exposeUnsetFields === true &&
    !excludeExtraneousValues &&
    !exposeDefaultValues
  );
}

/** Whether a rule is `@Expose()` without options. */
function isAlways(rule: ExposeRule): boolean {
  return Object.entries(rule).every(([name, value]) => name === 'property' || value === undefined);
}

/** The names with a special meaning for every object. */
const RESERVED = new Set(['then', 'prototype', 'constructor', '__proto__']);

function isMemberKey(key: string, { type }: PlanContext): boolean {
  const name = propertyOf(type, key);
  const isReserved = RESERVED.has(key) || RESERVED.has(name);
  // Decorators take symbols too.
  return isReserved || typeof name === 'symbol' || name in (type.prototype as object);
}

function planKey(key: string, context: PlanContext): PropertyPlan {
  const { type, shape, settings, options, fields, rules } = context;
  const name = propertyOf(type, key);
  const listed = rules.properties.find((candidate) => candidate.name === name);
  const propertyRules = listed ?? noRules(name);
  const selected = selectTransforms(shape, name, 'toClass', options);
  const [own] = selected;
  const read = own && selected.length === 1 ? readingOf(own.transform) : undefined;
  const isExposed = shape.exposed.some(({ property }) => property === name);
  const reading =
    read && !shape.typeOf.has(name) && !isExposed ? { read, transform: own.transform } : undefined;
  const content = contentOf(type, shape, name, options);
  const planned = knownRules(propertyRules);
  const dependsOnUser =
    !planned || (fields?.[name] !== undefined && typeof fields[name] === 'object' && planned.isNested);
  const mayBeAbsent = !dependsOnUser && holdsFrom(fields?.[name], planned, settings);
  return {
    name,
    key,
    isListed: listed !== undefined,
    content,
    transforms: reading ? [] : selected,
    reading,
    rules: propertyRules,
    planned,
    hasMessagesOnly: hasMessagesOnly(propertyRules, settings),
    mayBeAbsent,
  };
}

function contentOf(
  type: Function,
  shape: TransformShape,
  name: string,
  options: ClassTransformOptions,
): Content {
  const declared = shape.typeOf.get(name);
  if (!declared)
    return {
      typeFunction: undefined,
      type: designType(type, name, options) || undefined,
      arrayType: undefined,
      isDiscriminated: false,
    };
  const { typeFunction, reflectedType, discriminator } = declared;
  return {
    typeFunction,
    type: typeFunction ? expectedType(declared) : reflectedType,
    arrayType: reflectedType,
    isDiscriminated: discriminator !== undefined,
  };
}

/** Returns the result of a type function without a value; `undefined` if it reads its argument. */
function expectedType({ rule }: TypeRule): unknown {
  return rule.typeFunction && rule.typeFunction.length < 2
    ? unlessThrown(() => rule.typeFunction!({}))
    : undefined;
}

/** The most compiled rules per property, because each failed rule sets a bit in a word. */
const MOST_RULES = 26;

/** @returns `undefined` if the result depends on user code */
function knownRules(rules: PropertyRules): KnownRules | undefined {
  const { isOptional, isIfGiven, conditions, nested, awaitsPromise } = rules;
  if (awaitsPromise || (conditions.length > 0 && !isOptional && !isIfGiven)) return undefined;
  const defined = rules.defined.map(planEarlyTest);
  const leaves = rules.leaves.map(planEarlyTest);
  if (![...defined, ...leaves].every((rule) => rule !== undefined)) return undefined;
  return {
    isOptional,
    isIfGiven,
    defined: defined as PlannedRule[],
    leaves: leaves as PlannedRule[],
    isNested: nested.length > 0,
  };
}

function hasMessagesOnly({ defined, declared, nested }: PropertyRules, { nestsRefusals }: Settings): boolean {
  if (
    nested.length > 1 ||
    (nested.length > 0 && nestsRefusals) ||
    declared.length + defined.length > MOST_RULES
  )
    return false;
  const all = [...declared, ...defined.map((rule) => rule.declared)];
  // Nested values run user code between the messages of the property.
  return all.every(({ context, message }) => !context && (nested.length === 0 || !isFunction(message)));
}

/**
 * Plans a test that runs during creation. A rule's own condition may read the whole instance, and an expensive rule is called
 * once, when the instance is complete.
 */
function planEarlyTest(rule: ValueRule): PlannedRule | undefined {
  return rule.declared.validateIf || ruleTests[rule.builtin ?? '']?.isExpensive ? undefined : planRule(rule);
}

/** @returns `undefined` if the result depends on user code */
export function planRule(rule: ValueRule): PlannedRule | undefined {
  const compiled = compileTest(rule);
  return compiled && { ...compiled, rule, isEach: Boolean(rule.declared.each) };
}

/** Whether a property's rules hold for the initial value of its field. */
function holdsFrom(initial: unknown, rules: KnownRules, settings: Settings): boolean {
  if (isLeftOut(rules, initial)) return true;
  if (!rules.defined.every((rule) => holdsFor(initial, rule))) return false;
  if (isSkipped(initial, settings)) return true;
  if (rules.isNested && initial !== undefined) return false;
  return rules.leaves.every((rule) => holdsFor(initial, rule));
}

/** Whether a property's conditions skip a value. */
function isLeftOut({ isOptional, isIfGiven }: KnownRules, value: unknown): boolean {
  return value === undefined ? isOptional || isIfGiven : value === null && isOptional;
}

/** Whether the options skip a value's rules, except `IsDefined`. */
export function isSkipped(value: unknown, { skipUndefined, skipNull, skipMissing }: Settings): boolean {
  if (value === undefined) return skipUndefined || skipMissing;
  return value === null && (skipNull || skipMissing);
}

/** Whether a rule holds for a field's initial value, now and later, because its list may change. */
function holdsFor(initial: unknown, { test, isEach, rule }: PlannedRule): boolean {
  const constraints = (rule.declared.constraints as readonly unknown[] | undefined) ?? [];
  try {
    return (
      constraints.every((constraint) => typeof constraint !== 'object') &&
      (isEach ? eachIs(initial, test) : test(initial))
    );
  } catch {
    return false;
  }
}
