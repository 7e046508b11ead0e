import { type Code, code, joined, member, type Scope } from '@app/shapes';
import { constraintName } from '../instance/compile-rule';
import type { Settings } from '../settings';
import { eachIsValid, GIVE_UP } from './each';
import { errorMaker } from './error-maker';
import { hasOwnWords } from './is-validated';
import type { ClassPlan, PlannedRule, PropertyPlan } from './plan';
import { type Sentence, sentenceOf } from './message-text';
import { budget, whenAsked, type EmitContext } from './emit-context';

/** One thing that may be wrong with a property. */
interface Fault {
  /** An expression: whether nothing is. */
  readonly holds: Code;
  readonly name: string;
  readonly sentence: Sentence;
  readonly isLater: boolean;
  /** What the message is told of: the instance, or the class that declared the rule. */
  readonly of: Code;
}

/**
 * Writes what looks at all rules of an instance.
 *
 * @returns the call, for where the instance stands in `made`
 */
export function collectErrorsOf(plan: ClassPlan, context: EmitContext): Code {
  const name = context.scope.fresh(`errorsIn${plan.type.name}`);
  const all = joined([given(code`made`, context), ...placesOf(plan, context)], ', ');
  const properties = plan.properties.map((property, at) => writeProperty(property, at, context));
  context.functions.push(code`function ${name}(${all}) {
${properties}
}`);
  return code`${name}(${all})`;
}

/** What every function that judges takes. */
export function given(first: Code, { asksLater }: EmitContext): Code {
  return asksLater ? code`${first}, errors, later` : code`${first}, errors`;
}

/** The names of what was found inside each part, when it was made. */
export function placesOf({ properties }: ClassPlan, { asksLater }: EmitContext): Code[] {
  return properties.flatMap(({ content }, at) => {
    if (content.kind !== 'part') return [];
    return asksLater ? [code`inside${at}`, code`later${at}`] : [code`inside${at}`];
  });
}

function writeProperty(property: PropertyPlan, at: number, context: EmitContext): Code {
  const { settings, scope } = context;
  const isPart = property.content.kind === 'part';
  const inside = code`inside${at}`;
  const defined = property.defined.map((rule) => faultOf(rule, context));
  const leaves = property.leaves.map((rule) => faultOf(rule, context));
  const nested = isPart ? [nestedFault(property, inside, context)] : [];
  const faults = [...defined, ...leaves, ...nested];
  const first = defined.map((fault, bit) => writeTest(fault, bit, settings));
  const rest = [...leaves, ...nested].map((fault, bit) => writeTest(fault, defined.length + bit, settings));
  const checks = [...first, ...writeSkip(settings, rest)];
  const isLate = isPart && settings.stopAtFirstError;
  const asked = whenAsked(property, code`value`);
  return code`  {
  const value = ${member(code`made`, property.name)};
  let failed = 0;
${asked ? [code`  if (${asked}) {`, ...checks, code`  }`] : checks}
${isLate ? code`  if (failed !== 0 && ${inside} !== undefined) throw ${scope.hoist(GIVE_UP, 'giveUp')};\n` : code``}  if (failed !== 0${isPart ? code` || (${inside} !== undefined && ${inside}.length > 0)` : code``}) {
${writeSaid(faults, isPart, scope)}
    ${errorMaker(settings, scope)}(errors, made, value, ${property.name}, ${isPart ? code`${inside} ?? []` : code`[]`}, said);
${writeLater(faults, scope)}${isPart && context.asksLater ? code`    if (later${at} !== undefined) later.push(...later${at});\n` : code``}  }
  }`;
}

function writeTest({ holds }: Fault, bit: number, { stopAtFirstError }: Settings): Code {
  const first = stopAtFirstError ? code`failed === 0 && ` : code``;
  return code`  if (${first}!(${holds})) failed |= ${1 << bit};`;
}

function writeSkip(settings: Settings, tests: readonly Code[]): readonly Code[] {
  const skipped = [
    ...(settings.skipUndefined || settings.skipMissing ? [code`value !== undefined`] : []),
    ...(settings.skipNull || settings.skipMissing ? [code`value !== null`] : []),
  ];
  if (skipped.length === 0 || tests.length === 0) return tests;
  return [code`  if (${joined(skipped, ' && ')}) {\n${tests}\n  }`];
}

function faultOf({ leaf, constraints, test, isEach, rule }: PlannedRule, context: EmitContext): Fault {
  const { scope, settings } = context;
  const holds = isEach
    ? code`${scope.hoist(eachIsValid, 'eachIs')}(value, ${scope.hoist(test, `is${leaf.name}`)})`
    : leaf.emitDoubted(code`value`, scope, constraints, test);
  return {
    holds,
    name: constraintName(rule, rule.validators[0]),
    sentence: sentenceOf(rule.declared, rule.speaker, settings),
    isLater: hasOwnWords(rule.declared),
    of: code`made`,
  };
}

/** What is neither an object nor a list holds nothing that could be nested; nothing at all need not. */
function nestedFault(property: PropertyPlan, inside: Code, context: EmitContext): Fault {
  return { ...refusalOf(property, context), holds: code`${inside} !== undefined || value === undefined` };
}

function refusalOf({ rules }: PropertyPlan, { settings, scope }: EmitContext): Omit<Fault, 'holds'> {
  const rule = rules.nested[0]!;
  return {
    name: rule.type,
    sentence: sentenceOf(rule, undefined, settings),
    isLater: hasOwnWords(rule),
    of: scope.hoist(rule.target),
  };
}

/** One fault is written as it stands; several in the order of their rules. */
function writeSaid(faults: readonly Fault[], mayBeNone: boolean, scope: Scope): Code[] {
  const words = faults.map((fault) => wordsOf(fault, scope));
  const [only] = faults;
  if (only && faults.length === 1 && !mayBeNone)
    return [code`    const said = { ${only.name}: ${words[0]} };`];
  const alone = faults.map(
    ({ name }, bit) => code`    else if (failed === ${1 << bit}) said = { ${name}: ${words[bit]} };`,
  );
  const together = faults.map(
    ({ name }, bit) => code`      if (failed & ${1 << bit}) said[${name}] = ${words[bit]};`,
  );
  return [
    code`    let said;
    if (failed === 0) said = undefined;`,
    ...alone,
    code`    else {
      said = {};
${together}
    }`,
  ];
}

function wordsOf({ sentence, isLater, of }: Fault, scope: Scope): Code {
  if ('always' in sentence) return code`${sentence.always}`;
  return isLater ? code`undefined` : code`${scope.hoist(sentence.say, 'say')}(${of}, value)`;
}

function writeLater(faults: readonly Fault[], scope: Scope): Code[] {
  return faults.flatMap((fault, bit) =>
    fault.isLater ? [code`    if (failed & ${1 << bit}) ${noteLater(fault, scope)}\n`] : [],
  );
}

function noteLater({ name, sentence, of }: Fault, scope: Scope): Code {
  if ('always' in sentence) return code``;
  return code`later.push({ said, name: ${name}, say: ${scope.hoist(sentence.say, 'say')}, object: ${of}, value });`;
}

/**
 * Writes what makes and judges each element of a list of parts.
 *
 * @param judge the name of the function for one part
 * @returns the name of one for all; errors stand under the index of their element
 */
export function listValidator(property: PropertyPlan, judge: Code, context: EmitContext): Code {
  const { scope, settings, guardsText } = context;
  const known = context.listJudges.get(property);
  if (known) return known;
  const name = scope.fresh(`${judge.source.slice(1)}_each`);
  context.listJudges.set(property, name);
  const make = errorMaker(settings, scope);
  const giveUp = scope.hoist(GIVE_UP, 'giveUp');
  const refusal = refusalOf(property, context);
  const isRefused =
    settings.skipNull || settings.skipMissing
      ? code`value !== undefined && value !== null`
      : code`value !== undefined`;
  const left = code`${scope.hoist(budget, 'budget')}.left`;
  context.functions.push(code`function ${name}(${given(code`list`, context)}) {
${guardsText ? code`  ${left} -= 1;\n  if (${left} < 0) throw ${giveUp};\n` : code``}  const made = [];
  let inside = [];
  for (let at = 0; at < list.length; at++) {
    const value = list[at];
    if (typeof value === 'object' && value !== null) {
      if (Array.isArray(value)) throw ${giveUp};
      const one = ${judge}(value, inside${context.asksLater ? code`, later` : code``});
      made.push(one);
      if (inside.length === 0) continue;
      ${make}(errors, made, one, String(at), inside, undefined);
      inside = [];
      continue;
    }
    if (typeof value === 'function' || !(at in list)) throw ${giveUp};
    made.push(value);
    if (${isRefused}) {
      const said = { ${refusal.name}: ${wordsOf({ ...refusal, holds: code`` }, scope)} };
      ${make}(errors, made, value, String(at), [], said);
${refusal.isLater ? code`      ${noteLater({ ...refusal, holds: code`` }, scope)}\n` : code``}    }
  }
  return made;
}`);
  return name;
}
