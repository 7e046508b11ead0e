import { type Code, code, member, NOTHING, type Statements } from '../../shapes/code/code';
import type { Scope } from '../../shapes/code/scope';
import type { Passes } from '../plan/operations';
import type { ClassPlan } from '../plan/plan';
import type { Settings } from '../plan/settings';
import type { Conversion } from '../run/convert';
import { fallBack, guarded, guardedPlain } from '../run/guard';

/** The options for the functions that create instances. */
export interface MakeOrder extends Passes {
  readonly conversion: Conversion;
  /** Whether strings are converted where a boolean is expected, and other values are given up on. */
  readonly readsBooleans: boolean;
  /** Whether the functions for keys in any order are part of the program; otherwise they are generated on demand. */
  readonly isComplete: boolean;
}

/** The context that all functions in a program share. */
export interface ProgramContext extends MakeOrder {
  readonly order: MakeOrder;
  readonly trust: Trust;
  readonly scope: Scope;
  readonly settings: Settings;
  readonly functions: Code[];
  /** The names of the functions that create class instances; `listMakers` has the names for lists. */
  readonly makers: Map<ClassPlan, Code>;
  readonly listMakers: Map<ClassPlan, Code>;
  /** Returns the name of the function that creates class instances. */
  makerOf(plan: ClassPlan): Code;
  /** Returns the name of the function that creates lists with class instances. */
  listMakerOf(plan: ClassPlan): Code;
}

/** The context for the functions of a class. */
export interface ClassContext extends ProgramContext {
  readonly plan: ClassPlan;
}

/**
 * The code that depends on whether input is trusted. Where trusted input differs from JSON, class-transformer converts it. The
 * code for untrusted input gives up there.
 */
export interface Trust {
  /** Runs at the start of an object or a list, and counts it. */
  count(context: ProgramContext): Code;
  /** Runs when the keys match a known order, and tells whether the function for any order must convert the object. */
  isOtherKind(context: ProgramContext): Code;
  /** Runs at the start of an object with keys in any order. The object's class decides how it is converted. */
  kind(context: ClassContext): Code;
  /** Runs at the start of each key, and skips inherited keys. */
  key(context: ClassContext): Code;
  /** Runs at an unknown key with the value `raw`. */
  unknown(context: ClassContext): Code;
  /** Runs at the key for a member: `convert` converts and sets it. */
  member(convert: Statements, context: ClassContext): Statements;
  /** Generates the conversion for a value in place of a nested object; `convert` is class-transformer's conversion. */
  single(value: Code, convert: Code, context: ProgramContext): Code;
}

/** Returns the name of the function that converts single values in untrusted input. */
export function guardOf({ scope, readsBooleans }: ProgramContext): Code {
  return scope.hoist(readsBooleans ? guarded : guardedPlain, 'guarded');
}

/** Generates the statement that gives up on untrusted input. */
export function giveUp(scope: Scope): Code {
  return code`${scope.hoist(fallBack)}();`;
}

/** The statement that makes the complete instance subject to validation. */
export const FAILED = code`run.failed = true;`;

/** Returns {@link FAILED} if rules are tested during creation. */
export function failedIf(tests: boolean): Code {
  return tests ? FAILED : NOTHING;
}

/** Whether a value may become a nested instance. */
export function isPart(value: Code): Code {
  return code`typeof ${value} === 'object' && ${value} !== null && !${isList(value)}`;
}

export function isList(value: Code): Code {
  return code`Array.isArray(${value})`;
}

export function isMapOf(value: Code, scope: Scope): Code {
  return code`${value} instanceof ${scope.hoist(Map)}`;
}

/** Returns the prototypes of the value and plain objects, and the test whether the variable `prototype` differs from both. */
export function prototypesOf(scope: Scope): {
  readonly own: Code;
  readonly plain: Code;
  readonly isOther: Code;
} {
  const own = code`${scope.hoist(Object.getPrototypeOf, 'prototypeOf')}(value)`;
  const plain = scope.hoist(Object.prototype, 'plain');
  return { own, plain, isOther: code`prototype !== ${plain} && prototype !== null` };
}

/** Returns a property or rule name as a value. Decorators also accept symbols, and a rule name can be anything. */
export function nameOf(name: unknown, scope: Scope): Code {
  return typeof name === 'string' ? code`${name}` : scope.hoist(name, 'name');
}

/** Reads or names a property. */
export function memberOf(object: Code, name: string | symbol, scope: Scope): Code {
  return typeof name === 'symbol' ? code`${object}[${scope.hoist(name)}]` : member(object, name);
}
