import {
  assemble,
  type Assembled,
  type Code,
  code,
  joined,
  member,
  type PropertyRules,
  Scope,
} from '@app/shapes';
import type { ClassPlan, KnownRules, PlannedRule, PropertyPlan } from '../plan/plan';
import type { Planner } from '../plan/planner';
import type { Settings } from '../plan/settings';
import { constraintName } from './contexts';
import { UNKNOWN, WHOLE } from './doubt';
import { DoubtLayout } from './doubt-layout';
import { whenAsked } from './emit-tests';
import { errorMaker } from './error-maker';
import { type Sentence, sentenceOf } from './message-text';
import { type CheckNested, NOTHING } from './nested';
import { writeOpenProperty } from './open-property';
import type { Check } from './property-error';
import { applyWhitelist, listedIn } from './unknown';
import { writeHolds } from './write-holds';

/** The functions that generated validators call. */
export interface CheckOrder {
  readonly settings: Settings;
  readonly planner: Planner;
  readonly checkAny: Check;
  nestedOf(property: PropertyPlan): CheckNested;
}

interface EmitContext extends CheckOrder {
  readonly scope: Scope;
  readonly plan: ClassPlan;
  readonly layout: DoubtLayout;
  readonly functions: Code[];
  /** Tested properties that user code may have changed since: those after the first rule of a user. */
  readonly exposed: readonly string[];
}

/** One rule of a property that may fail. */
interface Fault {
  /** An expression: whether it holds. */
  readonly holds: Code;
  readonly name: string;
  readonly sentence: Sentence;
  /** The argument of the message: the instance, or the class that declared the rule. */
  readonly of: Code;
}

/**
 * Generates the code that validates an instance in class-validator's order, and calls user code in that order.
 *
 * With a doubt it validates only what the doubt names, and what could not be tested while the instance was created.
 */
export function emitCheck(plan: ClassPlan, order: CheckOrder): Assembled<Check> {
  const layout = new DoubtLayout(plan, order.planner);
  const exposed = exposedTo(plan, order.planner);
  const context: EmitContext = { ...order, plan, exposed, layout, scope: new Scope(), functions: [] };
  const { scope } = context;
  const blocks = plan.rules.properties.map((rules) => writeWhenDoubted(rules, context));
  const whitelist = order.settings.whitelist ? writeWhitelist(context) : code``;
  const body = code`${context.functions.map((one) => code`${one}\n`)}return (function check${scope.fresh(plan.type.name)}(object, errors, run, doubt) {
${layout.read(scope.hoist(WHOLE, 'whole'))}
${plan.fields ? exposed.map((name, at) => code`  const before${at} = ${member(code`object`, name)};`) : []}
${whitelist}${blocks}
});`;
  return assemble(`check ${plan.type.name}`, body, scope);
}

function writeWhitelist({ plan: { rules }, settings, scope, layout }: EmitContext): Code {
  const apply = scope.hoist(applyWhitelist, 'applyWhitelist');
  const listed = scope.hoist(listedIn(rules, settings), 'listed');
  return code`  if ((doubt0 & ${UNKNOWN}) !== 0) ${apply}(${listed}, ${scope.hoist(settings, 'settings')}, object, errors, ${layout.unknown()});\n`;
}

function exposedTo({ properties, rules }: ClassPlan, planner: Planner): string[] {
  const tried = new Set(properties.flatMap((one) => (planner.isTried(one) ? one.name : [])));
  const names = rules.properties.map(({ name }) => name);
  const first = names.findIndex((name) => !tried.has(name));
  return first < 0 ? [] : names.slice(first).filter((name) => tried.has(name));
}

/**
 * An expression: whether user code may have changed a property; absent if it cannot have. Of an object or a list it is
 * not known; nor of a property that may have an accessor, which must not be called an extra time.
 */
function isChanged(name: string, { exposed, plan }: EmitContext): Code | undefined {
  const at = exposed.indexOf(name);
  if (at < 0) return undefined;
  const before = code`before${at}`;
  return plan.fields
    ? code`${member(code`object`, name)} !== ${before} || typeof ${before} === 'object' && ${before} !== null`
    : code`true`;
}

function writeWhenDoubted(rules: PropertyRules, context: EmitContext): Code {
  const planned = context.plan.properties.find((one) => one.name === rules.name);
  const block =
    planned?.known && planned.isPlainlySaid
      ? writeProperty(planned, planned.known, context)
      : writeOpenProperty(rules, context);
  if (!planned || !context.planner.isTried(planned)) return block;
  const changed = isChanged(rules.name, context);
  const marked = context.layout.isMarked(rules.name);
  return code`  if (${changed ? code`${marked} || ${changed}` : marked}) {\n${block}\n  }`;
}

function writeProperty(property: PropertyPlan, known: KnownRules, context: EmitContext): Code {
  const { settings, scope } = context;
  const { isNested } = known;
  const defined = known.defined.map((rule) => faultOf(rule, context));
  const leaves = known.leaves.map((rule) => faultOf(rule, context));
  const nested = isNested ? [nestedFault(property, context)] : [];
  const faults = [...defined, ...leaves, ...nested];
  const first = defined.map((fault, bit) => writeTest(fault, bit, settings));
  const rest = leaves.map((fault, bit) => writeTest(fault, defined.length + bit, settings));
  const descent = isNested ? [writeDescent(property, faults.length - 1, context)] : [];
  const checks = [...first, ...writeSkip(settings, [...rest, ...descent])];
  const asked = whenAsked(known, code`value`);
  const isFound = isNested ? code` || inside !== undefined` : code``;
  return code`  {
  const value = ${member(code`object`, property.name)};
${writeFailed(property, context)}
${isNested ? code`  let inside;\n` : code``}${asked ? [code`  if (${asked}) {`, ...checks, code`  }`] : checks}
  if (failed !== 0${isFound}) {
${writeSaid(faults, isNested, scope)}
    ${errorMaker(settings, scope)}(errors, object, value, ${property.name}, ${isNested ? code`inside ?? []` : code`[]`}, said);
  }
  }`;
}

/** Which rules failed, as far as it is known from the creation of the instance. */
function writeFailed(property: PropertyPlan, context: EmitContext): Code {
  const { planner, layout, settings } = context;
  if (!planner.isTried(property)) return code`  const isUntested = true;\n  let failed = 0;`;
  const failed = layout.failed(property);
  const known = settings.stopAtFirstError ? code`${failed} & -(${failed})` : failed;
  const changed = isChanged(property.name, context);
  const untested = layout.isUntested(property);
  return code`  const isUntested = ${changed ? code`${untested} || ${changed}` : untested};
  let failed = isUntested ? 0 : ${known};`;
}

function writeTest({ holds }: Fault, bit: number, { stopAtFirstError }: Settings): Code {
  const first = stopAtFirstError ? code`failed === 0 && ` : code``;
  return code`  if (isUntested && ${first}!(${holds})) failed |= ${1 << bit};`;
}

/** A value that is neither an object nor a list has no nested values; null and undefined may be valid. */
function writeDescent(property: PropertyPlan, bit: number, context: EmitContext): Code {
  const { settings, scope, layout } = context;
  const whole = scope.hoist(WHOLE, 'whole');
  const known = layout.partOf(property);
  const part = known && isChanged(property.name, context) ? code`(isUntested ? ${whole} : ${known})` : known;
  const first = settings.stopAtFirstError ? code`failed === 0 && ` : code``;
  return code`  if (${first}value !== undefined${part ? code` && ${part} !== undefined` : code``}) {
    inside = ${scope.hoist(context.nestedOf(property), 'checkNested')}(value, run, ${part ?? whole});
    if (inside === undefined) failed |= ${1 << bit};
    else if (inside === ${scope.hoist(NOTHING, 'nothing')}) inside = undefined;
  }`;
}

function writeSkip(settings: Settings, tests: readonly Code[]): readonly Code[] {
  const skipped = [
    ...(settings.skipUndefined || settings.skipMissing ? [code`value !== undefined`] : []),
    ...(settings.skipNull || settings.skipMissing ? [code`value !== null`] : []),
  ];
  if (skipped.length === 0 || tests.length === 0) return tests;
  return [code`  if (${joined(skipped, ' && ')}) {\n${tests}\n  }`];
}

function faultOf(planned: PlannedRule, { scope, settings, functions }: EmitContext): Fault {
  const { rule } = planned;
  return {
    holds: writeHolds(planned, code`value`, scope, functions),
    name: constraintName(rule, rule.validators[0]),
    sentence: sentenceOf(rule.declared, rule.messageSource, settings, planned.leaf.messageOf),
    of: code`object`,
  };
}

function nestedFault({ rules }: PropertyPlan, { settings, scope }: EmitContext): Fault {
  const rule = rules.nested[0]!;
  return {
    holds: code`true`,
    name: rule.type,
    sentence: sentenceOf(rule, undefined, settings),
    of: scope.hoist(rule.target),
  };
}

/** The messages of one failed rule are a literal; those of several have the order of their rules. */
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

function wordsOf({ sentence, of }: Fault, scope: Scope): Code {
  if ('always' in sentence) return code`${sentence.always}`;
  return code`${scope.hoist(sentence.say, 'say')}(${of}, value)`;
}
