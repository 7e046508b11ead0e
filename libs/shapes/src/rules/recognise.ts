import * as library from 'class-validator';
import type { ConstraintMetadata } from 'class-validator/types/metadata/ConstraintMetadata';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata';
import { declaredRules, forget } from './scratch';

/** What answers for a rule, and says its message. */
interface Validator {
  validate(value: unknown, given: object): unknown;
  defaultMessage(given: object): unknown;
}

/** A rule of class-validator's own, as the library that is loaded declares it. */
interface Original {
  readonly decorator: string;
  /** The text of the class that class-validator wraps a validator in. */
  readonly wrapper: string;
  readonly validator: Validator;
}

/**
 * Says which of class-validator's own decorators declared a rule, or `undefined` where that is not certain.
 *
 * The rule is compared with what the loaded library declares under the same name: how its validator is wrapped, what it
 * says, which arguments it looks at, and what it answers for values that the rules of the library tell apart. Neither
 * where the library stands nor when the rule was declared matters.
 */
export function builtinOf(declared: ValidationMetadata, validator: ConstraintMetadata): string | undefined {
  if (!found.has(declared)) found.set(declared, find(declared, validator));
  return found.get(declared);
}

const found = new WeakMap<ValidationMetadata, string | undefined>();

function find(declared: ValidationMetadata, { name, async, target }: ConstraintMetadata): string | undefined {
  const original = originals().get(name);
  if (!original || async || declared.constraintCls !== target || String(target) !== original.wrapper)
    return undefined;
  const own = new (target as new () => Validator)();
  const constraints = copyOf(declared.constraints);
  const isSame = (ask: (one: Validator, given: object) => unknown): boolean =>
    traceOf((given) => ask(own, given), constraints) ===
    traceOf((given) => ask(original.validator, given), constraints);
  if (!isSame((one, given) => withoutPrefix(one.defaultMessage(given)))) return undefined;
  return probesFor(name).every((value) => isSame((one, given) => one.validate(value, given)))
    ? original.decorator
    : undefined;
}

/** Validators write their defaults into the options that they are given. */
function copyOf(constraints: readonly unknown[] | undefined): unknown {
  return constraints?.map((one) => (isPlainObject(one) ? { ...one } : one));
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The message of a rule for each element begins with words of its own. */
function withoutPrefix(message: unknown): unknown {
  return typeof message === 'string' ? message.replace(/^each value in /, '') : message;
}

/** The arguments of a rule, which tell what was looked at. */
class Given {
  looked = '';

  constructor(private readonly held: unknown) {}

  get targetName(): unknown {
    return this.note('targetName');
  }
  get property(): unknown {
    return this.note('property');
  }
  get object(): unknown {
    return this.note('object');
  }
  get value(): unknown {
    return this.note('value');
  }
  get constraints(): unknown {
    this.note('constraints');
    return this.held;
  }

  private note(name: string): undefined {
    this.looked += name;
  }
}

/** What came of a call, and which of its arguments it looked at, as text. */
function traceOf(ask: (given: object) => unknown, constraints: unknown): string {
  const given = new Given(constraints);
  try {
    const answer = ask(given);
    return `${typeof answer} ${typeof answer === 'object' ? '' : String(answer)} ${given.looked}`;
  } catch (error) {
    return `${String(error)} ${given.looked}`;
  }
}

/** Values of which each is told from another by some rule. */
const PROBES: readonly unknown[] = ['a', ' 1', '', 7, -0.5, true, null, undefined, ['a', 'a'], {}];

/** Values that a rule likes, or nearly so: another of its name will judge them otherwise. */
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

let known: ReadonlyMap<string, Original> | undefined;

/** By the name under which the message of a rule stands in an error. */
function originals(): ReadonlyMap<string, Original> {
  known ??= new Map(Object.entries(library).flatMap(([decorator, made]) => originalOf(decorator, made)));
  return known;
}

/** What a decorator must be given to be tried; for others nothing will do. */
const GIVEN: Readonly<Record<string, readonly unknown[]>> = { IsEnum: [{}], IsIn: [[]], IsNotIn: [[]] };

/** Decorators whose rule calls code of its user, or is none. */
const NOT_TRIED = new Set([
  'ArrayUnique',
  'IsInstance',
  'Validate',
  'ValidateBy',
  'ValidateIf',
  'ValidatorConstraint',
]);

function originalOf(decorator: string, made: unknown): [name: string, original: Original][] {
  if (typeof made !== 'function' || !/^[A-Z]/.test(decorator) || NOT_TRIED.has(decorator)) return [];
  class Tried {}
  try {
    const decorate = (made as (...given: unknown[]) => PropertyDecorator)(...(GIVEN[decorator] ?? []));
    if (typeof decorate === 'function') decorate(Tried.prototype, 'tried');
    const [declared] = declaredRules(Tried);
    const wrapper: unknown = declared?.constraintCls;
    if (!declared || typeof wrapper !== 'function') return [];
    const [{ name }] = library.getMetadataStorage().getTargetValidatorConstraints(wrapper) as [
      ConstraintMetadata,
    ];
    const validator = new (wrapper as new () => Validator)();
    return [[name, { decorator, wrapper: String(wrapper), validator }]];
  } catch {
    // A class, or a function that is no decorator.
    return [];
  } finally {
    forget(Tried);
  }
}

/**
 * Says whether a condition is, for certain, that of `IsOptional`: it reads the property, and does nothing else.
 *
 * It has the text of the library's own, and is called with an object that tells what was read of it.
 */
export function isOptional({ constraints, propertyName }: ValidationMetadata): boolean {
  const condition: unknown = constraints?.[0];
  if (typeof condition !== 'function' || String(condition) !== optionalText()) return false;
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
  if (optional !== undefined) return optional;
  class Tried {}
  library.IsOptional()(Tried.prototype, 'tried');
  optional = String(declaredRules(Tried)[0]?.constraints?.[0]);
  forget(Tried);
  return optional;
}
