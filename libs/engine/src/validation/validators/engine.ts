import { indented } from '../../shapes/code/code';
import { isFunction, isRecord, unlessThrown } from '../../shapes/values';
import type { ClassTransformOptions } from 'class-transformer';
import type { ValidationError } from 'class-validator';
import { emitCheck } from '../emit/emit-check';
import { emitMake } from '../emit/emit-make';
import type { MakeOrder } from '../emit/make-context';
import { reportFallback } from '../../shapes/report-fallback';
import { isClear } from '../hardening/is-clear';
import type { ClassPlan } from '../plan/plan';
import { NATIVE } from '../plan/planner';
import type { CompileOptions } from '../plan/settings';
import { Conversion, libraryMaker, LIBRARY_OPTIONS } from '../run/convert';
import { isEveryObjectExtended } from '../run/extended-prototype';
import type { Make } from '../run/place';
import { Run } from '../run/run';
import { Checks, Registry } from './checks';

/** The result of a check: the instance, or class-validator's errors. */
export type Checked<T> = { readonly value: T } | { readonly errors: ValidationError[] };

type Result<T> = Checked<T> | Promise<Checked<T>>;

/** The generated code for a class. */
interface Program {
  readonly plan: ClassPlan;
  /** Generates the code at its first use. */
  readonly make: () => Make;
  /** Whether all rules are tested while an instance is created. */
  readonly isTested: boolean;
  /** Creates instances and gives up at a value that is not plain; absent if user code runs in the process. */
  readonly guardedMake: () => Make | undefined;
}

type Transform = ClassTransformOptions | null | undefined;

/**
 * The generated code for a choice of options. Every entry point runs the engine for its options: a function creates class
 * instances, and a second function checks the rules.
 */
export class Engine extends Checks {
  readonly #isHardened: boolean;
  readonly #conversion: Conversion;
  readonly #programs = new Map<Function, Program>();
  /** The program for the last checked class, because a route has a single class. */
  #lastProgram: Program | undefined;

  constructor(options: CompileOptions, transform: ClassTransformOptions) {
    super(options, transform);
    this.#isHardened = Boolean(options.hardened);
    this.#conversion = new Conversion(this.planner.options, (type) => this.#writeMaker(type));
  }

  /** Returns the reason why class-transformer creates all instances, or `undefined`. */
  get whyLibraryMakes(): string | undefined {
    const names = LIBRARY_OPTIONS.filter((name) => this.transform[name]);
    return names.length > 0 ? `the option ${names.join(', ')} concerns every value` : undefined;
  }

  /** Creates an instance like `plainToInstance`. */
  make(type: unknown, value: unknown, transform: Transform): unknown {
    if (this.#conversion.isLibrarys) reportFallback(type, this.whyLibraryMakes!);
    return this.#conversion.convertRoot(value, type, new Run(transform));
  }

  /** Creates the instance, then validates it. */
  check(type: Function, value: unknown, transform: Transform): Result<object> {
    const program = this.#isWritten(value) ? this.#plannedProgramOf(type) : undefined;
    return program
      ? this.#finish(program, value as object, new Run(transform))
      : this.#result(this.make(type, value, transform) as object);
  }

  /**
   * Works like {@link check}, for an untrusted plain object.
   *
   * @returns `undefined` if the complete input has to be checked; the input is unchanged then
   */
  checkGuarded(type: Function, value: object, transform: Transform): Result<object> | undefined {
    if (this.#conversion.isLibrarys || isEveryObjectExtended()) return undefined;
    const program = this.#plannedProgramOf(type);
    // Nest validates an instance as one of the class that it was asked for, such as a proxy of its own class.
    if (!program || (type.prototype as object).constructor !== type) return undefined;
    const make = program.guardedMake();
    if (!make) {
      if (!isClear(program.plan, value, this.planner)) return undefined;
      return this.#finish(program, value, new Run(transform));
    }
    const run = new Run(transform);
    let instance: object;
    try {
      instance = make(value, run) as object;
    } catch {
      return undefined;
    }
    return this.#conclude(program, instance, run);
  }

  #writeGuarded(plan: ClassPlan): Make | undefined {
    const { planner } = this;
    if (!planner.hasNoUserCode(plan) || planner.isEndless(plan)) return undefined;
    const order = this.#makeOrder(planner.isTestable(plan));
    return emitMake(plan, { ...order, isGuarded: true, readsBooleans: this.#isHardened }).made;
  }

  /** Returns the generated class functions for readers. */
  sourceOf(type: Function): string {
    const plan = this.planner.planOf(type);
    const order = this.#makeOrder(this.planner.isTestable(plan));
    const make = emitMake(plan, { ...order, isComplete: true });
    return indented(`${make.source}\n${emitCheck(plan, this.checkOrder()).source}`);
  }

  #makeOrder(tests: boolean): MakeOrder {
    const passes = { isGuarded: false, readsBooleans: false, isComplete: false };
    return { planner: this.planner, conversion: this.#conversion, tests, ...passes };
  }

  /**
   * Whether a generated function handles the value. The function tests everything else itself, because V8 does not know the
   * value here, and each test is a call.
   */
  #isWritten(value: unknown): value is object {
    return (
      isRecord(value) && !(value instanceof Map) && !this.#conversion.isLibrarys && !isEveryObjectExtended()
    );
  }

  #finish(program: Program, value: object, run: Run): Result<object> {
    return this.#conclude(program, program.make()(value, run) as object, run);
  }

  #conclude({ plan, isTested }: Program, instance: object, run: Run): Result<object> {
    return isTested && !run.failed && instance.constructor === plan.type
      ? { value: instance }
      : this.#result(instance);
  }

  #result(value: object): Result<object> {
    const errors = this.validate(value);
    return Array.isArray(errors)
      ? resultOf(value, errors)
      : errors.then((settled) => resultOf(value, settled));
  }

  /** @returns `undefined` for a class with unreadable rules, because the library throws the same error when it reads them */
  #plannedProgramOf(type: Function): Program | undefined {
    try {
      return this.#programOf(type);
    } catch {
      return undefined;
    }
  }

  #programOf(type: Function): Program {
    if (this.#lastProgram?.plan.type === type) return this.#lastProgram;
    const program = this.#programs.get(type) ?? this.#writeProgram(type);
    this.#programs.set(type, program);
    this.#lastProgram = program;
    return program;
  }

  #writeProgram(type: Function): Program {
    const plan = this.planner.planOf(type);
    const isTested = this.planner.isTestable(plan);
    const make = onFirstUse((): Make => {
      if (isTested) return emitMake(plan, this.#makeOrder(true)).made;
      return (value, run) => this.#conversion.convertRoot(value, type, run);
    });
    return { plan, make, isTested, guardedMake: onFirstUse(() => this.#writeGuarded(plan)) };
  }

  #writeMaker(type: Function): Make | undefined {
    if (!isFunction(type) || NATIVE.has(type)) return undefined;
    const plan = unlessThrown(() => this.planner.planOf(type));
    if (!plan) return this.#leave(type, 'its decorators cannot be read');
    const reason = plan.shape.leftToLibrary;
    if (reason !== undefined) return this.#leave(type, reason);
    if (plan.properties.length + plan.members.length === 0) return undefined;
    return emitMake(plan, this.#makeOrder(false)).made;
  }

  #leave(type: Function, reason: string): Make {
    reportFallback(type, reason);
    return libraryMaker(type);
  }
}

/** Generates the code at its first use. */
function onFirstUse<Made>(write: () => Made): () => Made {
  let written: { readonly raw: Made } | undefined;
  return () => (written ??= { raw: write() }).raw;
}

function resultOf(value: object, errors: ValidationError[]): Checked<object> {
  return errors.length > 0 ? { errors } : { value };
}

const engines = /* @__PURE__ */ new Registry(Engine);

/** Finds the engine for some options, like {@link Registry.find}. */
export function engineFor(options: CompileOptions, transform: Transform, isKept = false): Engine | string {
  return engines.find(options, transform, isKept);
}
