import * as library from 'class-validator';
import type { ConstraintMetadata } from 'class-validator/types/metadata/ConstraintMetadata';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata';
import { isSame } from '../lists';
import { isFunction, isObject, isThenable, prototypeOf, unlessThrown } from '../values';
import { declaredRules, forget } from './scratch';
import { withoutCounting } from './storage';

/** A rule's validator with its message: the prototype of its wrapper. Its methods do not read `this`. */
interface Validator {
  readonly validate: (value: unknown, args: object) => unknown;
  readonly defaultMessage: (args: object) => unknown;
}

/** A built-in rule, as the loaded library declares it. */
interface Original {
  readonly decorator: string;
  /** The source of the class in which class-validator wraps a validator. */
  readonly wrapper: string;
  readonly validator: Validator;
  /** The traces by single argument, and the trace without arguments. They are added when first needed. */
  readonly traces: Map<unknown, Trace>;
}

/** The values that a rule read and returned, in order. */
type Trace = readonly unknown[];

/** A rule's arguments. */
type Constraints = readonly unknown[] | undefined;

/**
 * Returns the built-in class-validator decorator that declared a rule, or `undefined` if that is uncertain.
 *
 * The rule is compared with the rule that has the same name in the loaded library: the wrapper of its validator, its message,
 * the arguments that it reads, and its results for probe values that distinguish the library rules. The library's file path and
 * the declaration time do not matter.
 */
export function builtinOf(declared: ValidationMetadata, constraint: ConstraintMetadata): string | undefined {
  // An argument may throw when it is read: only the validator itself knows when it reads it.
  return unlessThrown(() => recognised(declared, constraint));
}

function recognised(
  { constraints, constraintCls }: ValidationMetadata,
  { name, async, target }: ConstraintMetadata,
): string | undefined {
  // A rule may be declared without a name, or with anything for one.
  const original = typeof name === 'string' && !async ? originalOf(name) : undefined;
  if (!original || constraintCls !== target || textOf(target) !== original.wrapper) return undefined;
  if (!isReadable(constraints)) return undefined;
  const expected = knownTrace(original, name, constraints);
  const own = traceOf(target.prototype as Validator, name, constraints, expected);
  return isSame(own, expected) ? original.decorator : undefined;
}

/** Returns a function's source, whatever its own `toString` does. */
function textOf(value: Function): string {
  return Function.prototype.toString.call(value);
}

/** Whether the arguments are a list with members that can be read without running code, because a getter may be user code. */
function isReadable(constraints: unknown): boolean {
  if (constraints === undefined) return true;
  return (
    Array.isArray(constraints) && constraints.every((argument) => !isObject(argument) || !hasGetter(argument))
  );
}

function hasGetter(value: object): boolean {
  return Object.values(Object.getOwnPropertyDescriptors(value)).some(({ get }) => get);
}

/** @returns the trace for the rule with that name in the loaded library */
function knownTrace({ traces, validator }: Original, name: string, constraints: Constraints): Trace {
  const key = constraints ? constraints[0] : traces;
  const isKept = !constraints || (constraints.length === 1 && Object(key) !== key);
  const trace = (isKept && traces.get(key)) || traceOf(validator, name, constraints);
  if (isKept) traces.set(key, trace);
  return trace;
}

/** Copies the arguments, because validators write defaults into their options, and move a regular expression forward. */
export function copyOf(constraints: Constraints): unknown[] | undefined {
  return constraints?.map((constraint) => {
    if (hasPrototype(constraint, Object.prototype))
      return hasGetter(constraint) ? constraint : { ...constraint };
    return hasPrototype(constraint, RegExp.prototype) ? new RegExp(constraint as RegExp) : constraint;
  });
}

function hasPrototype(value: unknown, prototype: object): value is object {
  return value !== null && value !== undefined && prototypeOf(value) === prototype;
}

/** A rule's arguments. It records which members were read. */
class Given {
  readonly trace: unknown[] = [];

  constructor(private readonly args: unknown) {}

  get constraints(): unknown {
    this.trace.push('constraints');
    return this.args;
  }

  /** Adds the result of a call, or the error that it throws. All objects count as the same result. */
  add(call: (value: unknown, args: Given) => unknown, value?: unknown): void {
    try {
      const result = call(value, this);
      // A custom rule may be asynchronous, and reject.
      if (isThenable(result)) result.then(undefined, () => undefined);
      this.trace.push(typeof result === 'object' ? Given : result);
    } catch (error) {
      this.trace.push(`thrown ${String(error)}`);
    }
  }
}

/** A list that records which members are read. It calls no callback of `map`, which is the identifier of `ArrayUnique`. */
function recordingList(trace: unknown[]): unknown[] {
  return new Proxy<unknown[]>(['a', 'a'], {
    get: (list, name) => (trace.push(name), name === 'map' ? () => [] : (Reflect.get(list, name) as unknown)),
  });
}

for (const name of ['targetName', 'property', 'object', 'value'])
  Object.defineProperty(Given.prototype, name, {
    get(this: Given) {
      this.trace.push(name);
    },
  });

/**
 * Returns the rule's message and its results for the probes, with the arguments that it reads.
 *
 * @param expected ends the trace at the first difference, so that a custom rule is not called further
 */
function traceOf(
  { validate, defaultMessage }: Validator,
  name: string,
  constraints: Constraints,
  expected?: Trace,
): Trace {
  const probe = new Given(copyOf(constraints));
  probe.add(() => {
    const message = defaultMessage(probe);
    // That of a rule for each element has a prefix.
    return typeof message === 'string' ? message.replace(/^each value in /, '') : message;
  });
  if (name === 'arrayUnique') probe.add(validate, recordingList(probe.trace));
  for (const value of probesFor(name)) {
    if (expected && !isSame(probe.trace, expected.slice(0, probe.trace.length))) break;
    probe.add(validate, value);
  }
  return probe.trace;
}

/** Values that distinguish the rules from each other. */
const PROBES: readonly unknown[] = ['a', ' 1', '', 7, -0.5, true, null, undefined, ['a', 'a'], {}];

/** Valid and nearly valid values for a rule. A different rule with the same name gives different results. */
const NEAR: Readonly<Record<string, readonly unknown[]>> = {
  isEmail: ['ann@example.org', 'ann.lee+tag@gmail.com', 'a@10minutemail.com', 'ä@example.org', 'a@b'],
  isInt: [8, 2 ** 60, '7'],
  isString: [new String('a'), 'x'.repeat(300), 'é\n'],
  isUuid: ['7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a', '00000000-0000-0000-0000-000000000000'],
  isUrl: ['https://a.co/x', 'localhost', 'ftp://a.co'],
  isDate: [new Date(0), new Date(Number.NaN)],
  isIso8601: ['2024-02-29', '2023-02-30T00:00:00Z'],
  isDateString: ['2024-02-29', '2024-02-29T12:00:00Z'],
  isMongoId: ['507f1f77bcf86cd799439011'],
  isPhoneNumber: ['+41311112233'],
  isMobilePhone: ['+41791112233'],
};

function probesFor(name: string): readonly unknown[] {
  const near = Object.hasOwn(NEAR, name) ? NEAR[name] : undefined;
  return near ? [...PROBES, ...near] : PROBES;
}

let decorators: ReadonlyMap<string, string> | undefined;
const cache = new Map<string, Original | undefined>();

/**
 * Returns the library rule with a message key. Only the decorator with that name is called (`IsUUID` for `isUuid`), because
 * calling all decorators adds milliseconds to the program start.
 */
function originalOf(name: string): Original | undefined {
  if (!cache.has(name)) cache.set(name, tryDecorator(name));
  return cache.get(name);
}

function tryDecorator(name: string): Original | undefined {
  decorators ??= new Map(
    Object.keys(library)
      .filter((key) => /^[A-Z]/.test(key) && !NOT_PROBED.has(key))
      .map((key) => [key.toLowerCase(), key]),
  );
  const lower = name.toLowerCase();
  // `isLength` is of `Length`.
  const decorator = decorators.get(lower) ?? decorators.get(lower.replace(/^is/, ''));
  return decorator === undefined ? undefined : withoutCounting(() => declareOriginal(decorator, name));
}

/** The arguments for decorators that need arguments. The remaining decorators are called without arguments. */
const GIVEN: Readonly<Record<string, readonly unknown[]>> = { IsEnum: [{}], IsIn: [[]], IsNotIn: [[]] };

/** The decorators that declare no rule, or that declare a rule which calls user code. */
const NOT_PROBED = new Set(['IsInstance', 'Validate', 'ValidateBy', 'ValidateIf', 'ValidatorConstraint']);

function declareOriginal(decorator: string, name: string): Original | undefined {
  class Probe {}
  try {
    const makeDecorator = Reflect.get(library, decorator) as (...args: unknown[]) => PropertyDecorator;
    const decorate = makeDecorator(...(GIVEN[decorator] ?? []));
    if (isFunction(decorate)) decorate(Probe.prototype, 'probed');
    const [declared] = declaredRules(Probe);
    const wrapper: unknown = declared?.constraintCls;
    if (!isFunction(wrapper)) return undefined;
    const [constraint] = library.getMetadataStorage().getTargetValidatorConstraints(wrapper);
    if (constraint?.name !== name) return undefined;
    return {
      decorator,
      wrapper: textOf(wrapper),
      validator: wrapper.prototype as Validator,
      traces: new Map(),
    };
  } catch {
    // A class, or a function that is not a decorator.
    return undefined;
  } finally {
    forget(Probe);
  }
}

/**
 * Whether a condition certainly comes from `IsOptional` and only reads the property. The condition has the library's source, and
 * is called with an object that records every access.
 */
export function isOptional({ constraints, propertyName }: ValidationMetadata): boolean {
  const condition: unknown = constraints?.[0];
  if (!isFunction(condition) || textOf(condition) !== optionalText()) return false;
  return [null, undefined, 0].every((value) => {
    const read: unknown[] = [];
    const object = new Proxy(
      {},
      { get: (_, name) => (read.push(name), name === propertyName ? value : undefined) },
    );
    const holds: unknown = condition(object, undefined);
    return holds === (value === 0) && read.length > 0 && read.every((name) => name === propertyName);
  });
}

let optional: string | undefined;

function optionalText(): string {
  optional ??= withoutCounting(() => {
    class Probe {}
    library.IsOptional()(Probe.prototype, 'probed');
    const text = textOf(declaredRules(Probe)[0]?.constraints?.[0] as Function);
    forget(Probe);
    return text;
  });
  return optional;
}
