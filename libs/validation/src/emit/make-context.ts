import { type Code, code, type Scope } from '@app/shapes';
import type { ClassPlan, PropertyPlan } from '../plan/plan';
import type { Planner } from '../plan/planner';
import type { Settings } from '../plan/settings';
import type { Conversion } from '../run/convert';
import { guarded, guardedPlain } from '../run/guard';

/** The options of the functions that create instances. */
export interface MakeOrder {
  readonly planner: Planner;
  readonly conversion: Conversion;
  /** Whether rules are tested during creation, which sets `run.failed`. */
  readonly tests: boolean;
  /** Whether each instance is validated when it is complete. */
  readonly isValidated?: boolean;
  /** The class of whose instances unknown fields are not set, which the whitelist would remove. */
  readonly removesUnknown?: ClassPlan | 'all' | undefined;
  /** Whether to give up on input that requires a check as a whole. */
  readonly isGuarded: boolean;
  /** Whether strings are converted, and other values given up on, where a boolean is expected. */
  readonly readsBooleans: boolean;
  /** Whether the functions for keys in any order are part of the program; otherwise they are generated on demand. */
  readonly isComplete: boolean;
}

/** The context that all functions of one program share. */
export interface ProgramContext extends MakeOrder {
  readonly order: MakeOrder;
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

/** The class of a property's nested instances, if functions of this program create them (and test them, with `tests`). */
export function ownPart(property: PropertyPlan, { tests, planner }: MakeOrder): ClassPlan | undefined {
  if (tests && !property.known?.isNested) return undefined;
  const part = planner.partOf(property.content);
  return part && part.properties.length > 0 ? part : undefined;
}

/** The name of the function that converts single values of untrusted input. */
export function guardOf({ scope, readsBooleans }: ProgramContext): Code {
  return readsBooleans ? scope.hoist(guarded, 'guarded') : scope.hoist(guardedPlain, 'guarded');
}

/** A statement: the instance has to be validated when it is complete. */
export const FAILED = code`run.failed = true;`;
