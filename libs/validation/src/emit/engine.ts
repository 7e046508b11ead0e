import { copyOptions, decideTheSame, rulesGeneration, transformsGeneration } from '@app/shapes';
import type { ClassTransformOptions } from 'class-transformer';
import { getFromContainer, type ValidationError, Validator } from 'class-validator';
import type { ClassPlan, PropertyPlan } from '../plan/plan';
import { NATIVE, Planner } from '../plan/planner';
import { type CompileOptions, readSettings, type Settings } from '../plan/settings';
import { reportFallback } from '../report-fallback';
import { isClear } from '../hardening/is-clear';
import { emitIsForRules, type IsForRules, ownOptions } from './choice';
import { Conversion, type Make } from './convert';
import { emitCheck } from './emit-check';
import { type Doubt, NONE, WHOLE } from './doubt';
import { isEveryObjectExtended } from './every-object';
import { emitMake } from './emit-make';
import type { MakeOrder } from './make-context';
import { validateByLibrary, whyLibrary } from './library';
import { type CheckNested, nestedChecker } from './nested';
import type { Check, Pending } from './property-error';
import { Run } from './run';
import { stripEmpty } from './strip';
import { applyWhitelist, listedIn, pushUnknown } from './unknown';

/** What a check says: the instance, or class-validator's errors. */
export type Checked<T> = { readonly value: T } | { readonly errors: ValidationError[] };

type Answer<T> = Checked<T> | Promise<Checked<T>>;

/** What is written for one class. */
interface Program {
  readonly plan: ClassPlan;
  /** Written when it is first asked for. */
  readonly make: () => Make;
  /** Whether all rules are tested while an instance is created. */
  readonly isTried: boolean;
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
    return this.conversion.isLibrarys ? 'class-transformer has options that concern every value' : undefined;
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
  check(type: Function, value: unknown, given: Transform): Answer<object> {
    if (!this.isWritten(value)) return this.answer(this.make(type, value, given) as object);
    return this.finish(this.programOf(type), value, new Run(given));
  }

  /**
   * As {@link check}, for a plain object that is not trusted.
   *
   * @returns `undefined` at what only a closer look at the whole input can judge; nothing was changed then
   */
  checkGuarded(type: Function, value: object, given: Transform): Answer<object> | undefined {
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
    if (!planner.isQuiet(plan) || planner.isEndless(plan)) return undefined;
    return emitMake(plan, { ...this.makeOrder(true), isGuarded: true, readsBooleans: this.isHardened }).made;
  }

  /** The written functions of a class, to be read. */
  sourceOf(type: Function): string {
    const plan = this.planner.planOf(type);
    const make = emitMake(plan, { ...this.makeOrder(!plan.isDoubted), isComplete: true });
    return `${make.source}\n${emitCheck(plan, this.checkOrder()).source}`;
  }

  private makeOrder(tries: boolean): MakeOrder {
    const { planner, conversion } = this;
    return { planner, conversion, tries, isGuarded: false, readsBooleans: false, isComplete: false };
  }

  /** A generated function tests everything else itself: here V8 does not know the value, and each test is a call. */
  private isWritten(value: unknown): value is object {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    return !(value instanceof Map) && !this.conversion.isLibrarys && !isEveryObjectExtended();
  }

  private finish(program: Program, value: object, run: Run): Answer<object> {
    return this.conclude(program, program.make()(value, run) as object, run);
  }

  private conclude({ plan, isTried }: Program, made: object, run: Run): Answer<object> {
    const doubt = run.doubt as Doubt | undefined;
    if (plan.isDoubted || doubt === WHOLE || made.constructor !== plan.type) return this.answer(made);
    if (isTried && doubt === undefined) return { value: made };
    const errors: ValidationError[] = [];
    const pending: Pending = { pending: [] };
    this.checkAny(made, errors, pending, doubt ?? NONE);
    return this.answerWith(made, this.settle(errors, pending));
  }

  private answer(instance: object): Answer<object> {
    return this.answerWith(instance, this.validate(instance));
  }

  private answerWith(value: object, errors: ValidationError[] | Promise<ValidationError[]>): Answer<object> {
    return Array.isArray(errors) ? answerOf(value, errors) : errors.then((found) => answerOf(value, found));
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
    const make = onceAsked((): Make => {
      if (!plan.isDoubted) return emitMake(plan, this.makeOrder(true)).made;
      return (value, run) => conversion.convertRoot(value, type, run);
    });
    const isTried = plan.properties.every((property) => planner.isTried(property));
    return { plan, make, isTried, guardedMake: onceAsked(() => this.writeGuarded(plan)) };
  }

  private writeMaker(type: Function): Make | undefined {
    if (typeof type !== 'function' || NATIVE.has(type)) return undefined;
    let plan: ClassPlan;
    try {
      plan = this.planner.planOf(type);
    } catch {
      return undefined;
    }
    if (plan.properties.length === 0) return undefined;
    return emitMake(plan, this.makeOrder(false)).made;
  }

  /** Validates an instance by the rules of its own class. Each property has its own, for most have one class. */
  private checkAnyHere(): Check {
    let lastType: unknown;
    let lastCheck: Check | undefined;
    return (object, errors, run, doubt) => {
      const type: unknown = object.constructor;
      if (type !== lastType || !lastCheck) {
        lastCheck = this.checkerOf(type);
        lastType = type;
      }
      lastCheck(object, errors, run, doubt);
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
    const listed = listedIn(rules, settings);
    return (object, errors) => {
      if (settings.forbidUnknownValues) pushUnknown(settings, object, errors);
      else if (settings.whitelist) applyWhitelist(listed, settings, object, errors);
    };
  }

  private checkOrder() {
    const { settings, checkAny, planner } = this;
    const nestedOf = ({ rules }: PropertyPlan): CheckNested =>
      nestedChecker(rules.nested, settings, this.checkAnyHere());
    return { settings, planner, checkAny, nestedOf };
  }
}

/** Written when it is first asked for. */
function onceAsked<Made>(write: () => Made): () => Made {
  let made: { readonly held: Made } | undefined;
  return () => (made ??= { held: write() }).held;
}

function answerOf(value: object, errors: ValidationError[]): Checked<object> {
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
 * @returns a sentence that says why there is none, where the libraries themselves must answer
 */
export function engineFor(options: CompileOptions, transform: Transform, isKept = false): Engine | string {
  refresh();
  if (reason !== undefined) return reason;
  if (options.enableDebugMessages) return 'enableDebugMessages is on, and its messages are the library’s own';
  const given = { ...transform };
  const found = engines.find((one) => one.isFor(options, given));
  if (found) return found;
  const isFull = engines.length >= MOST_ENGINES;
  if (isFull && !isKept) return 'there are too many choices of options';
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
