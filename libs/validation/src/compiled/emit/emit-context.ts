import { type Code, code, type Scope } from '@app/shapes';
import type { ClassTransformOptions } from 'class-transformer';
import type { Settings } from '../settings';
import type { Convert } from '../transform/compile-transform';
import type { ClassPlan, Content, PropertyPlan } from './plan';

/** Takes a value and answers, or hands it on. */
export type Check = (value: unknown) => unknown;

/** What a program is made from, beside the plan. */
export interface Order {
  readonly settings: Settings;
  readonly options: ClassTransformOptions | undefined;
  readonly convert: Convert;
  /** Judges from the start whatever the one pass gave up on. */
  readonly exact: Check;
  /** In which order the keys of a class are expected; that of its declaration unless it was learned. */
  readonly keyOrders: ReadonlyMap<Function, readonly string[]>;
  /** Told once that a class keeps getting its keys in another order. */
  /** Whether a text with half a surrogate pair is given up on, and a value of very many parts. */
  readonly guardsText: boolean;
  readonly learn: (type: Function, keys: readonly string[]) => void;
}

/** What all functions of one program share. */
export interface EmitContext extends Order {
  readonly scope: Scope;
  /** Whether a key without a rule may be converted by what the compiler noted of it. */
  readonly isImplicit: boolean;
  /** Whether a key without a rule is no reason to give up. */
  readonly copiesUnknown: boolean;
  readonly readers: Map<ClassPlan, Code>;
  readonly lists: Map<ClassPlan, Code>;
  /** Whether a message is a function, to be asked when every instance is complete. */
  readonly asksLater: boolean;
  readonly judges: Map<ClassPlan, Code>;
  readonly listJudges: Map<PropertyPlan, Code>;
  readonly functions: Code[];
}

/** More objects and lists than these, in one value, are for the pipe to count. */
export const MOST_OBJECTS = 4000;

/** More unknown fields than these, in one object, are for the pipe to count. */
export const MOST_UNKNOWN = 900;

/** How many objects and lists a value may still have; set back for each value. */
export const budget = { left: MOST_OBJECTS };

/** The class that objects become in a property which is neither a part nor converted. */
export function plainType({ type }: Extract<Content, { kind: 'plain' }>, scope: Scope): Code {
  return type === undefined ? code`undefined` : scope.hoist(type);
}

/** When the rules of a property are asked, or `undefined` where they always are. */
export function whenAsked({ isOptional, isIfGiven }: PropertyPlan, value: Code): Code | undefined {
  if (isOptional) return code`${value} !== undefined && ${value} !== null`;
  return isIfGiven ? code`${value} !== undefined` : undefined;
}
