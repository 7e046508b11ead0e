import { indented } from '../../shapes/code/code';
import { rulesGeneration } from '../../shapes/rules/storage';
import { copyOptions, decideTheSame } from '../../shapes/transforms/same-options';
import { transformsGeneration } from '../../shapes/transforms/storage';
import type { ClassTransformOptions } from 'class-transformer';
import { getFromContainer, type ValidationError, Validator } from 'class-validator';
import type { ClassPlan, PropertyPlan } from '../plan/plan';
import { NATIVE, Planner } from '../plan/planner';
import { type CompileOptions, readSettings, type Settings } from '../plan/settings';
import { reportFallback } from '../fallback/report-fallback';
import { isClear } from '../hardening/is-clear';
import { emitIsForRules, type IsForRules, ownOptions } from './choice';
import { Conversion, LIBRARY_OPTIONS } from '../run/convert';
import type { Make } from '../run/place';
import { emitCheck } from '../emit/emit-check';
import { isEveryObjectExtended } from '../run/extended-prototype';
import { emitMake } from '../emit/emit-make';
import type { MakeOrder } from '../emit/make-context';
import { validateByLibrary, whyLibrary } from '../fallback/library';
import { type CheckNested, nestedChecker } from '../run/nested';
import type { Check, Pending } from '../run/property-error';
import { Run } from '../run/run';
import { stripEmpty } from '../run/strip';
import { applyWhitelist, listedIn, pushUnknown } from '../run/whitelist';

/** What a check says: the instance, or class-validator's errors. */
export type Checked<T> = { readonly value: T } | { readonly errors: ValidationError[] };

type Result<T> = Checked<T> | Promise<Checked<T>>;

/** What is written for one class. */
interface Program {
  readonly plan: ClassPlan;
  /** Written when it is first asked for. */
  readonly make: () => Make;
  /** Whether all rules are tested while an instance is created. */
  readonly isTested: boolean;
  /** Makes instances and gives up at what is not plain; absent where code of a user runs while it does. */
  readonly guardedMake: () => Make | undefined;
}

type Transform = ClassTransformOptions | null | undefined;

/** Options that class-validator does not have. */
const OWN_OPTIONS = ['hardened', 'ignoreAsync', 'hidesParentValues'] as const;

/**
 * Everything that is written under one choice of options. Every entry runs the functions of the engine of its options:
 * one makes instances of a class, one looks at the rules.
 */
export class Engine {
  readonly settings: Settings;
  readonly planner: Planner;
  private readonly isHardened: boolean;
  private readonly conversion: Conversion;
  private readonly checkers = new Map<unknown, Check>();
  private readonly programs = new Map<Function, Program>();
  /** Of the last class that was checked: a route has one. */
  private lastProgram: Program | undefined;
  /** Copies, which do not change with those of the caller. */
  readonly options: CompileOptions;
  readonly transform: ClassTransformOptions;
  readonly isForRules: IsForRules;

  constructor(options: CompileOptions, given: ClassTransformOptions) {
    this.options = ownOptions(options);
    this.transform = copyOptions(given);
    this.isForRules = emitIsForRules(this.options);
    this.isHardened = Boolean(options.hardened);
    this.settings = readSettings(options);
    const transform = { exposeUnsetFields: true, ...this.transform };
    this.planner = new Planner(this.settings, transform);
    this.conversion = new Conversion(transform, (type) => this.writeMaker(type));
  }

  /** Whether functions are compiled equally for other options. */
  isFor(options: CompileOptions, transform: ClassTransformOptions): boolean {
    return (
      OWN_OPTIONS.every((name) => !this.options[name] === !options[name]) &&
      this.isForRules(options) &&
      decideTheSame(this.transform, transform)
    );
  }

  /** Why class-transformer makes all instances, if it does. */
  get whyLibraryMakes(): string | undefined {
    const names = LIBRARY_OPTIONS.filter((name) => this.transform[name]);
    return names.length > 0 ? `the option ${names.join(', ')} concerns every value` : undefined;
  }

  /** `plainToInstance`. */
  make(type: unknown, value: unknown, given: Transform): unknown {
    if (this.conversion.isLibrarys) reportFallback(type, this.whyLibraryMakes!);
    return this.conversion.convertRoot(value, type, new Run(given));
  }

  /** `validate` or `validateSync`, into a list. */
  validate(object: object): ValidationError[] | Promise<ValidationError[]> {
    // The name of a schema, for the library.
    if (typeof object === 'string') return validateByLibrary(object, this.options);
    const errors: ValidationError[] = [];
    const run: Pending = { pending: [] };
    this.checkAny(object, errors, run);
    return this.settle(errors, run);
  }

  /** Both, one after the other. */
  check(type: Function, value: unknown, given: Transform): Result<object> {
    if (!this.isWritten(value)) return this.result(this.make(type, value, given) as object);
    return this.finish(this.programOf(type), value, new Run(given));
  }

  /**
   * As {@link check}, for a plain object that is not trusted.
   *
   * @returns `undefined` at what requires a check of the complete input; nothing was changed then
   */
  checkGuarded(type: Function, value: object, given: Transform): Result<object> | undefined {
    if (this.conversion.isLibrarys || isEveryObjectExtended()) return undefined;
    const program = this.programOf(type);
    const make = program.guardedMake();
    if (!make) {
      if (!isClear(program.plan, value, this.planner)) return undefined;
      return this.finish(program, value, new Run(given));
    }
    const run = new Run(given);
    let made: object;
    try {
      made = make(value, run) as object;
    } catch {
      return undefined;
    }
    return this.conclude(program, made, run);
  }

  private writeGuarded(plan: ClassPlan): Make | undefined {
    const { planner } = this;
    if (!planner.hasNoUserCode(plan) || planner.isEndless(plan)) return undefined;
    const order = this.makeOrder(planner.isTestable(plan));
    return emitMake(plan, { ...order, isGuarded: true, readsBooleans: this.isHardened }).made;
  }

  /** The written functions of a class, to be read. */
  sourceOf(type: Function): string {
    const plan = this.planner.planOf(type);
    const order = this.makeOrder(this.planner.isTestable(plan));
    const make = emitMake(plan, { ...order, isComplete: true });
    return indented(`${make.source}\n${emitCheck(plan, this.checkOrder()).source}`);
  }

  private makeOrder(tests: boolean): MakeOrder {
    const { planner, conversion } = this;
    return { planner, conversion, tests, isGuarded: false, readsBooleans: false, isComplete: false };
  }

  /** A generated function tests everything else itself: here V8 does not know the value, and each test is a call. */
  private isWritten(value: unknown): value is object {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    return !(value instanceof Map) && !this.conversion.isLibrarys && !isEveryObjectExtended();
  }

  private finish(program: Program, value: object, run: Run): Result<object> {
    return this.conclude(program, program.make()(value, run) as object, run);
  }

  private conclude({ plan, isTested }: Program, made: object, run: Run): Result<object> {
    return isTested && !run.failed && made.constructor === plan.type ? { value: made } : this.result(made);
  }

  private result(instance: object): Result<object> {
    return this.resultWith(instance, this.validate(instance));
  }

  private resultWith(value: object, errors: ValidationError[] | Promise<ValidationError[]>): Result<object> {
    return Array.isArray(errors) ? resultOf(value, errors) : errors.then((found) => resultOf(value, found));
  }

  private settle(
    errors: ValidationError[],
    { pending }: Pending,
  ): ValidationError[] | Promise<ValidationError[]> {
    if (pending.length === 0) return errors;
    if (this.settings.ignoreAsync) return stripEmpty(errors);
    return Promise.all(pending).then(() => stripEmpty(errors));
  }

  private programOf(type: Function): Program {
    if (this.lastProgram?.plan.type === type) return this.lastProgram;
    const program = this.programs.get(type) ?? this.writeProgram(type);
    this.programs.set(type, program);
    this.lastProgram = program;
    return program;
  }

  private writeProgram(type: Function): Program {
    const { planner, conversion } = this;
    const plan = planner.planOf(type);
    const isTested = planner.isTestable(plan);
    const make = onFirstUse((): Make => {
      if (isTested) return emitMake(plan, this.makeOrder(true)).made;
      return (value, run) => conversion.convertRoot(value, type, run);
    });
    return { plan, make, isTested, guardedMake: onFirstUse(() => this.writeGuarded(plan)) };
  }

  private writeMaker(type: Function): Make | undefined {
    if (typeof type !== 'function' || NATIVE.has(type)) return undefined;
    let plan: ClassPlan;
    try {
      plan = this.planner.planOf(type);
    } catch {
      return undefined;
    }
    if (plan.properties.length + plan.members.length === 0) return undefined;
    return emitMake(plan, this.makeOrder(false)).made;
  }

  /** Validates an instance by the rules of its own class. Each property has its own, for most have one class. */
  private checkAnyHere(): Check {
    let lastType: unknown;
    let lastCheck: Check | undefined;
    return (object, errors, run) => {
      const type: unknown = object.constructor;
      if (type !== lastType || !lastCheck) {
        lastCheck = this.checkerOf(type);
        lastType = type;
      }
      lastCheck(object, errors, run);
    };
  }

  private readonly checkAny = this.checkAnyHere();

  private checkerOf(type: unknown): Check {
    const known = this.checkers.get(type);
    if (known) return known;
    const check = this.writeCheck(type as Function);
    if (typeof type === 'function') this.checkers.set(type, check);
    return check;
  }

  private writeCheck(type: Function): Check {
    const { settings } = this;
    const rules = this.planner.rulesOf(type);
    if (!rules.isEmpty) return emitCheck(this.planner.planOf(type), this.checkOrder()).made;
    const listed = listedIn(rules);
    return (object, errors) => {
      if (settings.forbidUnknownValues) pushUnknown(settings, object, errors);
      else if (settings.whitelist) applyWhitelist(listed, settings, object, errors);
    };
  }

  private checkOrder() {
    const { settings, checkAny } = this;
    const nestedOf = ({ rules }: PropertyPlan): CheckNested =>
      nestedChecker(rules.nested, settings, this.checkAnyHere());
    return { settings, checkAny, nestedOf };
  }
}

/** Written when it is first asked for. */
function onFirstUse<Made>(write: () => Made): () => Made {
  let made: { readonly raw: Made } | undefined;
  return () => (made ??= { raw: write() }).raw;
}

function resultOf(value: object, errors: ValidationError[]): Checked<object> {
  return errors.length > 0 ? { errors } : { value };
}

/** More choices of options than these are the library's own affair: a caller may make them up without end. */
const MOST_ENGINES = 256;

let engines: Engine[] = [];
let generation = -1;
let reason: string | undefined;

/**
 * Finds the engine of some options. Decorators that run later, or a storage that is cleared, make another of it.
 *
 * @param isKept whether the caller keeps what it gets, and asks for no more than it has options
 * @returns a sentence that says why there is none, where the libraries themselves must result
 */
export function engineFor(options: CompileOptions, transform: Transform, isKept = false): Engine | string {
  refresh();
  if (reason !== undefined) return reason;
  if (options.enableDebugMessages) return 'enableDebugMessages is on, and its messages are the library’s own';
  const given = { ...transform };
  const found = engines.find((one) => one.isFor(options, given));
  if (found) return found;
  const isFull = engines.length >= MOST_ENGINES;
  if (isFull && !isKept) return `there are more than ${MOST_ENGINES} choices of options`;
  const engine = new Engine(options, given);
  if (!isFull) engines.push(engine);
  return engine;
}

/** A number that changes when an engine that was found is out of date. */
export function engineGeneration(): number {
  return rulesGeneration() + transformsGeneration();
}

let validator: unknown;
let epoch = 0;

/** A number that changes when any engine is out of date, also by another container. */
export function engineEpoch(): number {
  refresh();
  return epoch;
}

function refresh(): void {
  // Whom the library asks to validate: another one tells of another container.
  const asked = askedValidator();
  if (engineGeneration() === generation && asked === validator) return;
  validator = asked;
  epoch += 1;
  engines = [];
  reason = whyLibrary();
  // To find out how the libraries behave, classes are declared and forgotten.
  generation = engineGeneration();
}

function askedValidator(): unknown {
  try {
    return getFromContainer(Validator);
  } catch {
    return undefined;
  }
}
