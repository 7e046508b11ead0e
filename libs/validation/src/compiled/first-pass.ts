import { canAssemble, rulesGeneration, transformsGeneration } from '@app/shapes';
import type { Checked } from './compiled-validator';
import { whyLibrary } from './library';
import { type CompileOptions, readSettings } from './settings';
import type { Convert } from './transform/compile-transform';
import { GIVE_UP } from './emit/each';
import { type ClassPlan, planClass } from './emit/plan';
import { budget, type Check, MOST_OBJECTS } from './emit/emit-context';
import { writeProgram } from './emit/emit-program';

/**
 * What a pipe tries first: the answer to a usual body, at once and without a promise, or `undefined` for everything
 * the pipe has more to say about (nothing at all, a list, an unknown object, a class with code of its user, a field
 * named like a member). Nothing was changed then.
 *
 * Made anew when decorators run later. One object serves all classes of a pipe.
 */
export class FirstPass {
  /** By the groups that stand in place of those of the options; without any, by the object itself. */
  private programs = new WeakMap<object, WeakMap<Function, Check>>();
  private generation = -1;

  constructor(private readonly options: CompileOptions) {}

  /**
   * @param type the class of the parameter
   * @param groups in place of those of the options; one list that never changes, which is known again
   */
  read(type: Function, value: unknown, groups?: readonly string[]): Checked<object> | undefined {
    const now = rulesGeneration() + transformsGeneration();
    if (now !== this.generation) this.programs = new WeakMap();
    this.generation = now;
    const chosen = groups ?? this;
    let programs = this.programs.get(chosen);
    if (!programs) this.programs.set(chosen, (programs = new WeakMap()));
    let program = programs.get(type);
    if (!program) programs.set(type, (program = this.write(type, groups, programs)));
    budget.left = MOST_OBJECTS;
    return program(isBare(value) ? { ...value } : value) as Checked<object> | undefined;
  }

  private write(
    type: Function,
    groups: readonly string[] | undefined,
    programs: WeakMap<Function, Check>,
  ): Check {
    const options = groups === undefined ? this.options : { ...this.options, groups: [...groups] };
    if (options.generateCode === false || whyLibrary(options) !== undefined || !canAssemble()) return giveUp;
    try {
      return programFor(type, options, (better) => programs.set(type, better));
    } catch {
      return giveUp;
    }
  }
}

/** The objects in which Fastify gives queries and paths inherit from an object that has nothing and inherits nothing. */
function isBare(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || typeof prototype !== 'object' || prototype === null) return false;
  return Object.getPrototypeOf(prototype) === null && Reflect.ownKeys(prototype).length === 0;
}

const giveUp: Check = () => undefined;

/** How often a program is written anew for another order of keys: a client cannot make us do so without end. */
const MOST_LESSONS = 4;

function programFor(type: Function, options: CompileOptions, improve: (better: Check) => void): Check {
  const settings = readSettings(options);
  const planAnew = () => planClass(type, settings, options.transformOptions);
  if (options.hardened && isEndless(planAnew())) return giveUp;
  const keyOrders = new Map<Function, readonly string[]>();
  const guardsText = Boolean(options.hardened);
  const convert = guardsText ? convertGuarded : convertPlain;
  const write = () =>
    writeProgram(planAnew, {
      settings,
      options: options.transformOptions,
      convert,
      exact: giveUp,
      keyOrders,
      learn,
      guardsText,
    }).check;
  let lessons = 0;
  const learn = (of: Function, keys: readonly string[]): void => {
    lessons += 1;
    if (lessons > MOST_LESSONS) return;
    keyOrders.set(of, keys);
    improve(write());
  };
  return write();
}

/** A class that is a part of itself, at whatever distance. */
function isEndless(plan: ClassPlan, above: readonly ClassPlan[] = []): boolean {
  if (above.includes(plan)) return true;
  return plan.properties.some(
    ({ content }) => content.kind === 'part' && isEndless(content.part, [...above, plan]),
  );
}

/** Lists of texts and numbers are copied; the pipe itself looks into everything else before it converts it. */
const convertPlain: Convert = (value, type) => {
  if (Array.isArray(value)) return value.map((element: unknown) => convertPlain(primitive(element), type));
  const held = primitive(value);
  if (held === undefined || held === null || type === undefined || type === Object) return held;
  if (type === Date) return new Date(held as string);
  return (type as (given: unknown) => unknown)(held);
};

/** Counts parts, and gives up on half surrogate pairs and on what is neither true nor false. */
const convertGuarded: Convert = (value, type, arrayType) => {
  budget.left -= 1;
  if (budget.left < 0) throw GIVE_UP;
  if (type === Boolean) return readBoolean(value);
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (texts.some((text) => typeof text === 'string' && !text.isWellFormed())) throw GIVE_UP;
  return convertPlain(value, type, arrayType);
};

function readBoolean(value: unknown): unknown {
  if (value === 'true' || value === 'false') return value === 'true';
  if (value !== undefined && value !== null && typeof value !== 'boolean') throw GIVE_UP;
  return value;
}

function primitive(value: unknown): unknown {
  if ((typeof value === 'object' && value !== null) || typeof value === 'function') throw GIVE_UP;
  return value;
}
