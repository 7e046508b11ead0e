import {
  type ExposeRule,
  type ValueRule,
  type PropertyRules,
  type Reading,
  readingOf,
  readRules,
  readTransforms,
  selectTransforms,
  type TransformShape,
} from '@app/shapes';
import type { ClassTransformOptions } from 'class-transformer';
import { type KnownRule, knownRule } from '../rules/rules';
import type { Settings } from '../settings';
import { eachIs, GIVE_UP } from './each';
import { initialFields } from './fields';

/** A class whose instances can be made and checked in one pass, because no code of its user runs on the way. */
export interface ClassPlan {
  readonly type: new () => object;
  readonly properties: readonly PropertyPlan[];
  /** The names of those that are laid down as undefined, in this order, when they were not sent. */
  readonly exposed: readonly string[];
}

/** One property of such a class. */
export interface PropertyPlan {
  readonly name: string;
  readonly isOptional: boolean;
  readonly isIfGiven: boolean;
  readonly defined: readonly PlannedRule[];
  readonly leaves: readonly PlannedRule[];
  /** Whether the rules hold for what the field has from the start: the property may then be absent. */
  readonly mayBeAbsent: boolean;
  readonly content: Content;
  readonly rules: PropertyRules;
}

export interface PlannedRule extends KnownRule {
  readonly rule: ValueRule;
  readonly isEach: boolean;
}

/** What a property holds, and so how its value is made. */
export type Content =
  /** `Object`, where a compiler noted that: then every object becomes a plain one, whatever it was. */
  | { readonly kind: 'plain'; readonly type?: Function }
  /** Read from a text, a number, a boolean or nothing, by a function that its author vouches for. */
  | { readonly kind: 'read'; readonly read: Reading }
  | {
      readonly kind: 'converted';
      readonly type: Function;
      readonly typeFunction?: () => unknown;
      readonly arrayType: unknown;
    }
  | {
      readonly kind: 'part';
      readonly part: ClassPlan;
      readonly typeFunction?: () => unknown;
      readonly takesList: boolean;
    };

/** What is known of a class while its properties are planned. */
interface PlanContext {
  readonly type: Function;
  readonly transforms: TransformShape;
  /** What an instance has from the start. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly settings: Settings;
  readonly options: ClassTransformOptions;
  readonly known: Map<Function, ClassPlan>;
}

/** Why a class cannot be done in one pass; the sentence is for `explain()`. */
export class NotPlanned extends Error {}

/**
 * Plans a class for one pass.
 *
 * @throws NotPlanned with the reason
 */
export function planClass(
  type: Function,
  settings: Settings,
  options: ClassTransformOptions = {},
  known = new Map<Function, ClassPlan>(),
): ClassPlan {
  const found = known.get(type);
  if (found) return found;
  const properties: PropertyPlan[] = [];
  const transforms = readTransforms(type);
  const exposed = [...new Set(transforms.exposed.map(({ property }) => property))];
  const plan: ClassPlan = { type: type as new () => object, properties, exposed };
  known.set(type, plan);
  checkOptions(options);
  const fields = checkClass(type, transforms, options);
  const rules = readRules(type, settings);
  if (rules.isEmpty) throw new NotPlanned(`${type.name} has no rule that counts`);
  const names = new Set(rules.properties.map(({ name }) => name));
  for (const name of [...transforms.typeOf.keys(), ...transforms.transformsOf.keys()])
    if (!names.has(name)) throw new NotPlanned(`${type.name}.${name} is converted, but has no rule`);
  for (const name of exposed)
    if (!names.has(name)) throw new NotPlanned(`${type.name}.${name} is exposed, but has no rule`);
  const context: PlanContext = { type, transforms, fields, settings, options, known };
  for (const one of rules.properties) properties.push(planProperty(one, context));
  if (settings.whitelist) checkBareFields(context, names);
  if (properties.length > MOST_PROPERTIES)
    throw new NotPlanned(`${type.name} has more than ${MOST_PROPERTIES} properties`);
  return plan;
}

/** A field that every instance has from the start, and no rule, is refused or taken away by a whitelist. */
function checkBareFields({ type, fields }: PlanContext, names: ReadonlySet<string>): void {
  const bare = Object.keys(fields).find((name) => !names.has(name));
  if (bare !== undefined) throw new NotPlanned(`${type.name}.${bare} is a field without a rule`);
}

/** One bit for each property tells which were there. */
const MOST_PROPERTIES = 30;

function checkOptions(options: ClassTransformOptions): void {
  const { strategy, excludePrefixes, targetMaps, exposeUnsetFields } = options;
  const { enableCircularCheck, ignoreDecorators, excludeExtraneousValues, exposeDefaultValues } = options;
  const isUnusual =
    strategy === 'excludeAll' ||
    excludePrefixes?.length ||
    targetMaps ||
    exposeUnsetFields === false ||
    exposeDefaultValues;
  if (isUnusual || enableCircularCheck || ignoreDecorators || excludeExtraneousValues)
    throw new NotPlanned('an option of class-transformer changes how every value is made');
}

/** @returns the fields of an instance that was just made */
function checkClass(
  type: Function,
  transforms: TransformShape,
  options: ClassTransformOptions,
): PlanContext['fields'] {
  const { name } = type;
  if (transforms.strategy !== 'none' || !transforms.exposed.every(isAlways) || transforms.excluded.length > 0)
    throw new NotPlanned(`${name} excludes properties, or exposes some under conditions`);
  const hasOwnCode = [...transforms.transformsOf.keys()].some((property) => {
    const own = selectTransforms(transforms, property, 'toClass', options);
    return own.length > 1 || own.some(({ transform }) => !readingOf(transform));
  });
  if (hasOwnCode) throw new NotPlanned(`${name} transforms a property by code of its own`);
  if (options.enableImplicitConversion && !Reflect.getMetadata)
    throw new NotPlanned('implicit conversion needs reflect-metadata');
  const fields = initialFields(type);
  if (!fields)
    throw new NotPlanned(`${name} has a constructor, a field with a computed value, or is no class`);
  return fields;
}

/** `@Expose()` and nothing more. */
function isAlways(rule: ExposeRule): boolean {
  return Object.entries(rule).every(([name, one]) => name === 'property' || one === undefined);
}

function planProperty(rules: PropertyRules, context: PlanContext): PropertyPlan {
  const { type, transforms, settings, fields } = context;
  const where = `${type.name}.${rules.name}`;
  if (rules.name in (type.prototype as object) || rules.name === 'then' || rules.name === 'prototype')
    throw new NotPlanned(`${where} has the name of a member`);
  if (rules.awaitsPromise) throw new NotPlanned(`${where} awaits a promise`);
  const { isOptional, isIfGiven } = rules;
  if (rules.conditions.length > 0 && !isOptional && !isIfGiven)
    throw new NotPlanned(`${where} has a condition of its user`);
  const defined = rules.defined.map((rule) => planRule(where, rule));
  const leaves = rules.leaves.map((rule) => planRule(where, rule));
  const content = planContent(rules, context);
  const isExposed = transforms.exposed.some(({ property }) => property === rules.name);
  const initial = isExposed ? undefined : fields[rules.name];
  if (fields[rules.name] !== undefined && content.kind === 'part')
    throw new NotPlanned(`${where} is nested, and holds something from the start`);
  const asked = isSkipped(initial, settings) ? defined : [...defined, ...leaves];
  const mayBeAbsent = isLeftOut(rules, initial) || asked.every((rule) => holdsFor(initial, rule));
  return { name: rules.name, isOptional, isIfGiven, defined, leaves, mayBeAbsent, content, rules };
}

/** Whether the conditions of a property keep its rules from a value. */
export function isLeftOut(
  { isOptional, isIfGiven }: Pick<PropertyPlan, 'isOptional' | 'isIfGiven'>,
  value: unknown,
): boolean {
  return value === undefined ? isOptional || isIfGiven : value === null && isOptional;
}

function isSkipped(value: unknown, { skipUndefined, skipNull, skipMissing }: Settings): boolean {
  if (value === undefined) return skipUndefined || skipMissing;
  return value === null && (skipNull || skipMissing);
}

/** Whether a rule holds for what a field has from the start, now and later: a list it names may change. */
function holdsFor(initial: unknown, { test, isEach, constraints }: PlannedRule): boolean {
  if (initial === undefined) return test(undefined);
  return (
    constraints.every((one) => typeof one !== 'object') && (isEach ? eachIs(initial, test) : test(initial))
  );
}

function planRule(where: string, rule: ValueRule): PlannedRule {
  const { declared, validators, builtin } = rule;
  const name = declared.name ?? validators[0]?.name ?? 'a rule';
  if (declared.validateIf) throw new NotPlanned(`${where}: ${name} has a condition of its user`);
  const known = knownRule(rule);
  if (!known)
    throw new NotPlanned(`${where}: ${name} ${builtin ? 'is not written out' : 'is not the library’s own'}`);
  return { ...known, rule, isEach: Boolean(declared.each) };
}

const CONVERTED = new Set<unknown>([String, Number, Boolean, Date]);

function planContent(rules: PropertyRules, context: PlanContext): Content {
  const { type, transforms, settings, options, known } = context;
  const where = `${type.name}.${rules.name}`;
  const { nested, name } = rules;
  if (nested.length > 1) throw new NotPlanned(`${where} is declared nested twice`);
  const declared = transforms.typeOf.get(name);
  if (declared?.discriminator) throw new NotPlanned(`${where} tells its class by a discriminator`);
  const typeFunction = declared?.typeFunction as (() => unknown) | undefined;
  if (typeFunction && typeFunction.length > 0) throw new NotPlanned(`${where} tells its class by its value`);
  const [own] = selectTransforms(transforms, name, 'toClass', options);
  const read = own && readingOf(own.transform);
  const isExposed = transforms.exposed.some(({ property }) => property === name);
  if (read && (declared || isExposed || nested.length > 0))
    throw new NotPlanned(`${where} is both read and made`);
  if (read) return { kind: 'read', read: simply(read) };
  const part = declared
    ? typeFunction
      ? askType(where, typeFunction)
      : declared.reflectedType
    : noted(type, name, options);
  const arrayType = declared?.reflectedType;
  if (arrayType === Map) throw new NotPlanned(`${where} is a map`);
  if (CONVERTED.has(part) && nested.length === 0)
    return { kind: 'converted', type: part as Function, arrayType, ...(typeFunction && { typeFunction }) };
  if (part === undefined || (!declared && part === Object)) {
    if (nested.length > 0) throw new NotPlanned(`${where} is nested, but its class is not declared`);
    return part === undefined ? { kind: 'plain' } : { kind: 'plain', type: Object };
  }
  if (typeof part !== 'function' || nested.length === 0 || !declared)
    throw new NotPlanned(`${where} becomes another class without being nested`);
  const plan = planClass(part, settings, options, known);
  const takesList = arrayType === undefined || arrayType === Array;
  return { kind: 'part', part: plan, takesList, ...(typeFunction && { typeFunction }) };
}

/** Of anything but a text, a number, a boolean or nothing, conversion itself might have something to say. */
function simply(read: Reading): Reading {
  return (sent) => {
    if (sent !== null && sent !== undefined && !SIMPLE.has(typeof sent)) throw GIVE_UP;
    return read(sent);
  };
}

const SIMPLE = new Set(['string', 'number', 'boolean']);

function askType(where: string, typeFunction: () => unknown): unknown {
  try {
    return typeFunction();
  } catch {
    throw new NotPlanned(`${where}: its class is not there yet`);
  }
}

function noted(type: Function, name: string, options: ClassTransformOptions): unknown {
  if (!options.enableImplicitConversion) return undefined;
  return Reflect.getMetadata('design:type', type.prototype as object, name) as unknown;
}
