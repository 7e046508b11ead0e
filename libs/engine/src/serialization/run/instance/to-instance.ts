import { exposedProperties, typedProperties, typeOf } from '../../../shapes/transforms/declared-rules';
import { type DeclaredType, transformsGeneration } from '../../../shapes/transforms/storage';
import { isFunction, isObject, prototypeOf } from '../../../shapes/values';
import type { WireClass } from '../../plan/wire-class';

/**
 * Converts a handler's return value to an instance of a wire class. The value is a row, a plain object, or an instance with a
 * different class. Properties keep their names, and properties with a `@Type` are converted in turn.
 *
 * The function `plainToInstance` is for input. It would run transforms, which serialization runs again, and would read the names
 * in `@Expose({ name })` where a row has property names.
 *
 * @returns `source` itself if it needs no conversion
 */
export function toInstance(type: WireClass, source: object): object {
  const plan = planOf(type);
  if (prototypeOf(source) === type.prototype) return withTypedParts(plan, source);
  const instance = new type();
  for (const property of propertiesOf(source, plan)) {
    if (property in source && isTaken(instance, property, plan)) {
      const value: unknown = Reflect.get(source, property);
      const help = { newObject: instance, object: source, property };
      Reflect.set(instance, property, typedPart(value, plan.ruleOf(property).declared, help));
    }
  }
  return instance;
}

function propertiesOf(source: object, { exposed }: InstancePlan): readonly string[] {
  const own = Object.keys(source);
  return [...own, ...exposed.filter((property) => !own.includes(property))];
}

/**
 * Whether the instance takes the property from the row. A constructor may change properties, and may even return an object with
 * a different class.
 */
function isTaken(instance: object, property: string, { type, ruleOf }: InstancePlan): boolean {
  if (property === '__proto__') return false;
  const isAsPlanned = !Object.hasOwn(instance, property) && prototypeOf(instance) === type.prototype;
  return isAsPlanned ? ruleOf(property).isField : isField(instance, property);
}

/** The plan for creating instances of a class. */
interface InstancePlan {
  readonly type: WireClass;
  readonly exposed: readonly string[];
  readonly typed: ReadonlySet<string>;
  readonly ruleOf: (property: string) => PropertyRule;
  /** The metadata generation. The plan is outdated when a decorator runs later. */
  readonly generation: number;
}

interface PropertyRule {
  /** Whether an instance accepts the property, unless its constructor decides otherwise. */
  readonly isField: boolean;
  readonly declared: DeclaredType | undefined;
}

const plans = new WeakMap<WireClass, InstancePlan>();

/** The most properties that are cached per class, because rows may have any names. */
const MOST_NAMES = 256;

function planOf(type: WireClass): InstancePlan {
  const cached = plans.get(type);
  if (cached?.generation === transformsGeneration()) return cached;
  const rules = new Map<string, PropertyRule>();
  const plan: InstancePlan = {
    type,
    exposed: [...new Set(exposedProperties(type))],
    typed: typedProperties(type),
    generation: transformsGeneration(),
    ruleOf(property) {
      const rule = rules.get(property) ?? readRule(type, property);
      if (rules.size < MOST_NAMES) rules.set(property, rule);
      return rule;
    },
  };
  plans.set(type, plan);
  return plan;
}

function readRule(type: WireClass, property: string): PropertyRule {
  return { isField: isField(type.prototype, property), declared: typeOf(type, property) };
}

/** Converts the typed parts. The handler's own instance is never changed; it is copied if a part has to be converted. */
function withTypedParts({ type, typed, ruleOf }: InstancePlan, instance: object): object {
  const changed: Record<string, unknown> = {};
  for (const property of typed) {
    const value: unknown = Reflect.get(instance, property);
    const help = { newObject: instance, object: instance, property };
    const part = typedPart(value, ruleOf(property).declared, help);
    if (part !== Reflect.get(instance, property)) changed[property] = part;
  }
  if (Object.keys(changed).length === 0) return instance;
  return Object.assign(Object.create(type.prototype), instance, changed);
}

type TypeHelp = Parameters<NonNullable<DeclaredType['typeFunction']>>[0];

function typedPart(value: unknown, declared: DeclaredType | undefined, help: TypeHelp): unknown {
  if (declared === undefined || !isObject(value) || value instanceof Map || value instanceof Set)
    return value;
  const asked = declared.typeFunction?.(help) ?? declared.reflectedType;
  const make = (part: unknown) => toPart(part, subTypeOf(part, declared) ?? asked);
  if (!Array.isArray(value)) return make(value);
  const parts = value.map(make);
  return parts.every((part, index) => part === value[index]) ? value : parts;
}

function subTypeOf(part: unknown, { options }: DeclaredType): unknown {
  const discriminator = options?.discriminator;
  if (discriminator === undefined || !isObject(part)) return undefined;
  const name: unknown = Reflect.get(part, discriminator.property);
  return discriminator.subTypes.find((subType) => subType.value === part.constructor || subType.name === name)
    ?.value;
}

function toPart(part: unknown, type: unknown): unknown {
  return isWireClass(type) && isObject(part) ? toInstance(type, part) : part;
}

const builtIns = new Set<unknown>([String, Number, Boolean, Date, Buffer, Object, Array, Map, Set]);

/** Whether values with this declared type are kept unchanged. */
export function isKeptUnchanged(type: unknown): boolean {
  return builtIns.has(type);
}

function isWireClass(type: unknown): type is WireClass {
  return isFunction(type) && !isKeptUnchanged(type);
}

/** Whether a row may set the property, since class methods and getters cannot be replaced. */
function isField(holder: object, property: string): boolean {
  for (let current: object | null = holder; current !== null; current = prototypeOf(current)) {
    const descriptor = Object.getOwnPropertyDescriptor(current, property);
    if (descriptor)
      return descriptor.set !== undefined || ('value' in descriptor && !isFunction(descriptor.value));
  }
  return true;
}
