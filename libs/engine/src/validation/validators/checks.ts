import { isFunction, unlessThrown } from '../../shapes/values';
import { groupsKey } from '../../shapes/rules/groups';
import { rulesGeneration } from '../../shapes/rules/storage';
import { copyOptions, decideTheSame } from '../../shapes/transforms/same-options';
import { transformsGeneration } from '../../shapes/transforms/storage';
import type { ClassTransformOptions } from 'class-transformer';
import { getFromContainer, type ValidationError, Validator } from 'class-validator';
import { emitCheck } from '../emit/emit-check';
import { validateByLibrary, whyLibrary } from '../fallback/library';
import type { PropertyPlan } from '../plan/plan';
import { Planner } from '../plan/planner';
import { type CompileOptions, readSettings, type Settings } from '../plan/settings';
import { type CheckNested, nestedChecker } from '../run/nested';
import type { Check, Pending } from '../run/property-error';
import { stripEmpty } from '../run/strip';
import { applyWhitelist, listedIn, pushUnknown } from '../run/whitelist';
import { emitIsForRules, type IsForRules, ownOptions } from './choice';

/** The options that class-validator lacks. */
const OWN_OPTIONS = ['hardened', 'ignoreAsync', 'hidesParentValues'] as const;

/** The functions that validate instances under a given choice of options. */
export class Checks {
  readonly settings: Settings;
  readonly planner: Planner;
  readonly #checkers = new Map<unknown, Check>();
  /** Copies of the caller's options, so that later changes to the originals have no effect. */
  readonly options: CompileOptions;
  readonly transform: ClassTransformOptions;
  readonly isForRules: IsForRules;

  constructor(options: CompileOptions, transform: ClassTransformOptions) {
    this.options = ownOptions(options);
    this.transform = copyOptions(transform);
    this.isForRules = emitIsForRules(this.options);
    this.settings = readSettings(options);
    this.planner = new Planner(this.settings, { exposeUnsetFields: true, ...this.transform });
  }

  /** Whether functions are compiled equally for other options. */
  isFor(options: CompileOptions, transform: ClassTransformOptions): boolean {
    return (
      OWN_OPTIONS.every((name) => !this.options[name] === !options[name]) &&
      this.isForRules(options) &&
      decideTheSame(this.transform, transform)
    );
  }

  /** Validates like `validate` or `validateSync`, and collects the errors in a list. */
  validate(object: object): ValidationError[] | Promise<ValidationError[]> {
    // The name of a schema, for the library.
    if (typeof object === 'string') return validateByLibrary(object, this.options);
    const errors: ValidationError[] = [];
    const run: Pending = { pending: [], hasHiddenNames: false };
    this.#checkAny(object, errors, run);
    return this.#settle(errors, run);
  }

  #settle(
    errors: ValidationError[],
    { pending, hasHiddenNames }: Pending,
  ): ValidationError[] | Promise<ValidationError[]> {
    if (pending.length === 0) return hasHiddenNames ? stripEmpty(errors) : errors;
    if (this.settings.ignoreAsync) return stripEmpty(errors);
    return Promise.all(pending).then(() => stripEmpty(errors));
  }

  /**
   * Creates a function that validates an instance by the rules of its own class. Each property gets a separate function, because
   * its values usually share a class.
   */
  #checkAnyHere(): Check {
    let lastType: unknown;
    let lastCheck: Check | undefined;
    return (object, errors, run) => {
      const type: unknown = object.constructor;
      if (type !== lastType || !lastCheck) {
        lastCheck = this.#checkerOf(type);
        lastType = type;
      }
      lastCheck(object, errors, run);
    };
  }

  readonly #checkAny = this.#checkAnyHere();

  #checkerOf(type: unknown): Check {
    const existing = this.#checkers.get(type);
    if (existing) return existing;
    const check = this.#writeCheck(type as Function);
    if (isFunction(type)) this.#checkers.set(type, check);
    return check;
  }

  #writeCheck(type: Function): Check {
    const { settings } = this;
    const rules = this.planner.rulesOf(type);
    if (!rules.isEmpty) return emitCheck(this.planner.planOf(type), this.checkOrder()).made;
    const listed = listedIn(rules);
    return (object, errors) => {
      if (settings.forbidUnknownValues) pushUnknown(settings, object, errors);
      else if (settings.whitelist) applyWhitelist(listed, settings, object, errors);
    };
  }

  protected checkOrder() {
    const { settings } = this;
    const nestedOf = ({ rules }: PropertyPlan): CheckNested =>
      nestedChecker(rules.nested, settings, this.#checkAnyHere());
    return { settings, checkAny: this.#checkAny, nestedOf };
  }
}

/** The most option sets. The library itself handles further sets, because a caller may create any number. */
const MOST_ENGINES = 256;

let generation = -1;
let reason: string | undefined;

/** A kind's functions, by options. */
export class Registry<Kind extends Checks> {
  /** The functions, by their groups. */
  #kinds = new Map<string, Kind[]>();
  #count = 0;
  #epoch = -1;

  readonly #kind: new (options: CompileOptions, transform: ClassTransformOptions) => Kind;

  constructor(kind: new (options: CompileOptions, transform: ClassTransformOptions) => Kind) {
    this.#kind = kind;
  }

  /**
   * Finds the functions for some options. Decorators that run later, or a cleared storage, lead to new functions.
   *
   * @param isKept whether the caller keeps the result and has a limited number of option sets
   * @returns the functions, or a sentence that explains why the libraries themselves must handle the call
   */
  find(
    options: CompileOptions,
    transform: ClassTransformOptions | null | undefined,
    isKept = false,
  ): Kind | string {
    if (this.#epoch !== engineEpoch()) {
      this.#kinds = new Map();
      this.#count = 0;
    }
    this.#epoch = epoch;
    if (reason !== undefined) return reason;
    if (options.enableDebugMessages)
      return 'enableDebugMessages is on, and its messages are the library’s own';
    const own = { ...transform };
    const key = groupsKey(options.groups);
    const alike = this.#kinds.get(key) ?? [];
    const existing = alike.find((candidate) => candidate.isFor(options, own));
    if (existing) return existing;
    const isFull = this.#count >= MOST_ENGINES;
    if (isFull && !isKept) return `there are more than ${MOST_ENGINES} choices of options`;
    const created = new this.#kind(options, own);
    if (!isFull) {
      this.#kinds.set(key, [...alike, created]);
      this.#count += 1;
    }
    return created;
  }
}

/** Returns a number that changes when an engine becomes outdated. */
export function engineGeneration(): number {
  return rulesGeneration() + transformsGeneration();
}

let validator: unknown;
let epoch = 0;

/** Returns a number that changes when any engine becomes outdated, including through a changed container. */
export function engineEpoch(): number {
  refresh();
  return epoch;
}

function refresh(): void {
  // Whom the library asks to validate: another one tells of another container.
  const asked = unlessThrown(() => getFromContainer(Validator));
  if (engineGeneration() === generation && asked === validator) return;
  validator = asked;
  epoch += 1;
  reason = whyLibrary();
  // To find out how the libraries behave, classes are declared and forgotten.
  generation = engineGeneration();
}
