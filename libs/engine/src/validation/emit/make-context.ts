import { type Code, code, member, NOTHING, type Statements } from '../../shapes/code/code';
import type { Scope } from '../../shapes/code/scope';
import type { Passes } from '../plan/operations';
import type { ClassPlan } from '../plan/plan';
import type { Settings } from '../plan/settings';
import type { Conversion } from '../run/convert';
import { guarded, guardedPlain } from '../run/guard';

/** The options of the functions that create instances. */
export interface MakeOrder extends Passes {
  readonly conversion: Conversion;
  /** Whether strings are converted, and other values given up on, where a boolean is expected. */
  readonly readsBooleans: boolean;
  /** Whether the functions for keys in any order are part of the program; otherwise they are generated on demand. */
  readonly isComplete: boolean;
}

/** The context that all functions of one program share. */
export interface ProgramContext extends MakeOrder {
  readonly order: MakeOrder;
  readonly trust: Trust;
  readonly scope: Scope;
  readonly settings: Settings;
  readonly functions: Code[];
  /** The names of the functions that create instances of a class, and of those that create lists of them. */
  readonly makers: Map<ClassPlan, Code>;
  readonly listMakers: Map<ClassPlan, Code>;
  /** The name of the function that creates the instances of a class. */
  makerOf(plan: ClassPlan): Code;
  /** The name of the function that creates lists of them. */
  listMakerOf(plan: ClassPlan): Code;
}

/** The context of the functions of one class. */
export interface ClassContext extends ProgramContext {
  readonly plan: ClassPlan;
}

/**
 * What generated code does with input besides its conversion: trusted input is converted by class-transformer where it
 * is not what JSON has; the code for other input gives up there.
 */
export interface Trust {
  /** At the start of an object or a list: counts it. */
  count(context: ProgramContext): Code;
  /** After the keys of an object were found to be those of an order: whether the function of any order converts it. */
  isOtherKind(context: ProgramContext): Code;
  /** At the start of an object with keys in any order: its class decides how it is converted. */
  kind(context: ClassContext): Code;
  /** At the start of each key: skips inherited ones. */
  key(context: ClassContext): Code;
  /** At an unknown key, whose value is `raw`. */
  unknown(context: ClassContext): Code;
  /** At the key of a member: `convert` converts and sets it. */
  member(convert: Statements, context: ClassContext): Statements;
  /** The conversion of a value in place of a nested object; `convert` is class-transformer's. */
  single(value: Code, convert: Code, context: ProgramContext): Code;
}

/** The name of the function that converts single values of untrusted input. */
export function guardOf({ scope, readsBooleans }: ProgramContext): Code {
  return scope.hoist(readsBooleans ? guarded : guardedPlain, 'guarded');
}

/** A statement: the instance has to be validated when it is complete. */
export const FAILED = code`run.failed = true;`;

/** The same, if rules are tested during creation. */
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
  return code`${value} instanceof ${scope.hoist(Map, 'Map')}`;
}

/** The prototype of the value, and of plain objects. */
export function prototypesOf(scope: Scope): { readonly own: Code; readonly plain: Code } {
  const own = code`${scope.hoist(Object.getPrototypeOf, 'prototypeOf')}(value)`;
  return { own, plain: scope.hoist(Object.prototype, 'plain') };
}

/** The name of a property or a rule as a value. Decorators take symbols too, and anything for the name of a rule. */
export function nameOf(name: unknown, scope: Scope): Code {
  return typeof name === 'string' ? code`${name}` : scope.hoist(name, 'name');
}

/** Reads or names a property. */
export function memberOf(object: Code, name: string | symbol, scope: Scope): Code {
  return typeof name === 'symbol' ? code`${object}[${scope.hoist(name)}]` : member(object, name);
}
