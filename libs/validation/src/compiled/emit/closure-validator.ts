import type { ValidationError } from 'class-validator';
import { constraintName } from '../instance/compile-rule';
import type { Settings } from '../settings';
import type { Convert } from '../transform/compile-transform';
import { eachIsValid, GIVE_UP } from './each';
import { layUnsent } from './exposed';
import { type MakeError, makeErrorFor } from './error-maker';
import { hasOwnWords, saysOwnWords } from './is-validated';
import { askLater, type Later } from './deferred';
import { type ClassPlan, type Content, isLeftOut, type PlannedRule, type PropertyPlan } from './plan';
import { type Sentence, sentenceOf } from './message-text';

/** What a check says: the instance, or what is wrong with it. */
type Answer = { value: object } | { errors: ValidationError[] };

/** What was found so far, in one object or list. */
interface Findings {
  readonly errors: ValidationError[];
  readonly later: Later[];
}

/** Makes an instance of an object and notes what is wrong with it. */
type Validate = (value: object, found: Findings) => object;

type Fields = Record<string, unknown>;

/** What all closures of one class, and of its parts, share. */
interface Context {
  readonly settings: Settings;
  readonly convert: Convert;
  readonly isImplicit: boolean;
  readonly makeError: MakeError;
  validateOf(part: ClassPlan): Validate;
  find(): Findings;
}

/**
 * The way to the errors of a class as closures, for where no code may be written: the same plan, the same answers as
 * the written one.
 *
 * @returns a check that throws {@link GIVE_UP} at what has to be judged from the start
 */
export function closureValidator(
  plan: ClassPlan,
  settings: Settings,
  convert: Convert,
  isImplicit: boolean,
): (value: object) => Answer {
  const known = new Map<ClassPlan, Validate>();
  const validateOf = (part: ClassPlan): Validate => {
    const made = known.get(part);
    if (made) return made;
    let judge: Validate | undefined;
    known.set(part, (value, found) => judge!(value, found));
    judge = validateClass(part, context);
    known.set(part, judge);
    return judge;
  };
  const none: Later[] = [];
  const asks = saysOwnWords(plan);
  const find = (): Findings => ({ errors: [], later: asks ? [] : none });
  const context = { settings, convert, isImplicit, makeError: makeErrorFor(settings), validateOf, find };
  const judge = validateOf(plan);
  return (value) => {
    const found = find();
    const made = judge(value, found);
    askLater(found.later);
    return found.errors.length === 0 ? { value: made } : { errors: found.errors };
  };
}

/** One property: how its value is made, and what looks at it. */
interface Place {
  readonly at: number;
  readonly name: string;
  readonly isPart: boolean;
  /** @param inside takes what is found in a part */
  make(held: unknown, inside: Findings | undefined): unknown;
  find(made: Fields, found: Findings, inside: Findings | undefined): void;
}

const NONE: never[] = [];

function validateClass({ type: Type, properties, exposed }: ClassPlan, context: Context): Validate {
  const places = properties.map((property, at) => placeOf(property, at, context));
  const known = new Map(places.map((place) => [place.name, place]));
  const hasParts = places.some(({ isPart }) => isPart);
  const takeUnknown = unknownTaker(Type, context);
  return (value, found) => {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) throw GIVE_UP;
    const made = new Type() as Fields;
    const insides: (Findings | undefined)[] = hasParts ? [] : NONE;
    for (const key in value) {
      const held = (value as Fields)[key];
      const place = known.get(key);
      if (!place) takeUnknown(made, key, held, found);
      else if (place.isPart && typeof held === 'object' && held !== null)
        made[key] = place.make(held, (insides[place.at] = context.find()));
      else made[key] = place.make(held, undefined);
    }
    layUnsent(made, value, exposed);
    for (const place of places) place.find(made, found, hasParts ? insides[place.at] : undefined);
    return made;
  };
}

/** A key without a rule: it stays unless a whitelist takes it away, and is told of where it is forbidden. */
function unknownTaker(
  { prototype: members }: Function,
  { settings, convert, isImplicit, makeError }: Context,
) {
  const { whitelist, forbidNonWhitelisted } = settings;
  return (made: Fields, key: string, held: unknown, { errors }: Findings): void => {
    if (isImplicit || key === 'then' || key === 'prototype' || key in members) throw GIVE_UP;
    const extra = typeof held === 'object' ? convert(held, undefined) : held;
    if (!whitelist || forbidNonWhitelisted) made[key] = extra;
    if (!whitelist || !forbidNonWhitelisted) return;
    const said = { whitelistValidation: `property ${key} should not exist` };
    makeError(errors, made, extra, key, undefined, said);
  };
}

function placeOf(property: PropertyPlan, at: number, context: Context): Place {
  const { name, content } = property;
  const isPart = content.kind === 'part';
  const make = isPart ? partMaker(property, content, context) : plainMaker(content, context);
  return { at, name, isPart, make, find: collectErrorsOf(property, context) };
}

function plainMaker(content: Exclude<Content, { kind: 'part' }>, { convert }: Context): Place['make'] {
  if (content.kind === 'plain')
    return (held) => (typeof held === 'object' ? convert(held, content.type) : held);
  if (content.kind === 'read') return content.read;
  const { type, typeFunction, arrayType } = content;
  return (held) => {
    if (typeFunction && typeFunction() !== type) throw GIVE_UP;
    return convert(held, type, Array.isArray(held) ? arrayType : undefined);
  };
}

function partMaker(
  property: PropertyPlan,
  { part, typeFunction, takesList }: Extract<Content, { kind: 'part' }>,
  context: Context,
): Place['make'] {
  const judge = context.validateOf(part);
  const judgeEach = eachValidator(property, judge, context);
  return (held, inside) => {
    if (typeFunction && typeFunction() !== part.type) throw GIVE_UP;
    if (typeof held === 'function') throw GIVE_UP;
    if (inside === undefined) return held;
    if (!Array.isArray(held)) return judge(held as object, inside);
    if (!takesList) throw GIVE_UP;
    return judgeEach(held, inside);
  };
}

/** Each element of a list; errors stand under its index. */
function eachValidator(property: PropertyPlan, judge: Validate, context: Context) {
  const { settings, makeError } = context;
  const refusal = refusalOf(property, settings);
  const skipsNull = settings.skipNull || settings.skipMissing;
  return (list: readonly unknown[], found: Findings): unknown[] => {
    const made: unknown[] = [];
    let inside: Findings = { errors: [], later: found.later };
    for (let at = 0; at < list.length; at++) {
      const element = list[at];
      if (typeof element === 'object' && element !== null) {
        if (Array.isArray(element)) throw GIVE_UP;
        const one = judge(element, inside);
        made.push(one);
        if (inside.errors.length === 0) continue;
        makeError(found.errors, made, one, String(at), inside.errors, undefined);
        inside = { errors: [], later: found.later };
        continue;
      }
      if (typeof element === 'function' || !(at in list)) throw GIVE_UP;
      made.push(element);
      if (element === undefined || (element === null && skipsNull)) continue;
      const said = sayOf(refusal, {}, made, element, found);
      makeError(found.errors, made, element, String(at), [], said);
    }
    return made;
  };
}

/** One thing that may be wrong with a property. */
interface Fault {
  readonly name: string;
  readonly sentence: Sentence;
  readonly isLater: boolean;
  /** What the message is told of, if not the instance. */
  readonly of: object | undefined;
}

interface TestedFault extends Fault {
  holds(value: unknown): boolean;
}

function collectErrorsOf(property: PropertyPlan, { settings, makeError }: Context): Place['find'] {
  const { name, content } = property;
  const { stopAtFirstError } = settings;
  const defined = property.defined.map((rule) => faultOf(rule, settings));
  const leaves = property.leaves.map((rule) => faultOf(rule, settings));
  const refusal = content.kind === 'part' ? refusalOf(property, settings) : undefined;
  const isSkipped = (value: unknown): boolean =>
    (value === undefined && (settings.skipUndefined || settings.skipMissing)) ||
    (value === null && (settings.skipNull || settings.skipMissing));
  const look = (faults: readonly TestedFault[], made: Fields, found: Findings, before: Said): Said => {
    let said = before;
    const value = made[name];
    for (const fault of faults) {
      if (stopAtFirstError && said) return said;
      if (!fault.holds(value)) said = sayOf(fault, said ?? {}, made, value, found);
    }
    return said;
  };
  return (made, found, inside) => {
    const value = made[name];
    if (isLeftOut(property, value)) return;
    let said = look(defined, made, found, undefined);
    if (!isSkipped(value)) {
      said = look(leaves, made, found, said);
      const isRefused = refusal && inside === undefined && value !== undefined;
      if (isRefused && !(stopAtFirstError && said)) said = sayOf(refusal, said ?? {}, made, value, found);
    }
    if (inside === undefined) {
      if (said) makeError(found.errors, made, value, name, [], said);
      return;
    }
    if (stopAtFirstError && said) throw GIVE_UP;
    if (said || inside.errors.length > 0) makeError(found.errors, made, value, name, inside.errors, said);
    if (inside.later !== found.later) found.later.push(...inside.later);
  };
}

type Said = Record<string, string> | undefined;

/** Fills in the words of a fault, or a place for them that is filled in later. */
function sayOf(
  { name, sentence, isLater, of }: Fault,
  said: Record<string, string>,
  made: object,
  value: unknown,
  found: Findings,
): Record<string, string> {
  if ('always' in sentence) said[name] = sentence.always;
  else if (isLater) {
    said[name] = '';
    found.later.push({ said, name, say: sentence.say, object: of ?? made, value });
  } else said[name] = sentence.say(of ?? made, value);
  return said;
}

function faultOf({ rule, test, isEach }: PlannedRule, settings: Settings): TestedFault {
  return {
    name: constraintName(rule, rule.validators[0]),
    sentence: sentenceOf(rule.declared, rule.speaker, settings),
    isLater: hasOwnWords(rule.declared),
    of: undefined,
    holds: isEach ? (value) => eachIsValid(value, test) : test,
  };
}

/** What is neither an object nor a list holds nothing that could be nested. */
function refusalOf({ rules }: PropertyPlan, settings: Settings): Fault {
  const rule = rules.nested[0]!;
  const sentence = sentenceOf(rule, undefined, settings);
  return { name: rule.type, sentence, isLater: hasOwnWords(rule), of: rule.target as object };
}
