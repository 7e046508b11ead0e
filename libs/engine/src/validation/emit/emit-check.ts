import { assemble, type Assembled } from '../../shapes/code/assemble';
import { type Code, code, member } from '../../shapes/code/code';
import { Scope } from '../../shapes/code/scope';
import type { ClassPlan, KnownRules, PlannedRule, PropertyPlan } from '../plan/plan';
import type { Settings } from '../plan/settings';
import { constraintName } from '../run/contexts';
import { errorMaker } from '../run/error-maker';
import { type RuleMessage, ruleMessage } from '../run/message-text';
import { type CheckNested, NOTHING } from '../run/nested';
import { writeOpenProperty } from './open-property';
import type { Check } from '../run/property-error';
import { applyWhitelist, listedIn } from '../run/whitelist';
import { unlessOptional, unlessSkipped, writeHolds } from './write-holds';

/** The functions that generated validators call. */
export interface CheckOrder {
  readonly settings: Settings;
  readonly checkAny: Check;
  nestedOf(property: PropertyPlan): CheckNested;
}

interface EmitContext extends CheckOrder {
  readonly scope: Scope;
  readonly plan: ClassPlan;
  readonly functions: Code[];
}

/** One rule of a property that may fail. */
interface Fault {
  /** An expression: whether it holds. */
  readonly holds: Code;
  readonly name: string;
  readonly sentence: RuleMessage;
  /** The argument of the message: the instance, or the class that declared the rule. */
  readonly of: Code;
}

/** Generates the code that validates an instance in class-validator's order, and calls user code in that order. */
export function emitCheck(plan: ClassPlan, order: CheckOrder): Assembled<Check> {
  const context: EmitContext = { ...order, plan, scope: new Scope(), functions: [] };
  const { scope } = context;
  const blocks = plan.rules.properties.map((rules) => {
    const planned = plan.properties.find((one) => one.name === rules.name);
    return planned?.known && planned.hasMessagesOnly
      ? writeProperty(planned, planned.known, context)
      : writeOpenProperty(rules, context);
  });
  const whitelist = order.settings.whitelist ? writeWhitelist(context) : code``;
  const body = code`${context.functions.map((one) => code`${one}\n`)}return (function check${scope.fresh(plan.type.name)}(object, errors, run) {
${whitelist}${blocks}
});`;
  return assemble(`check ${plan.type.name}`, body, scope);
}

function writeWhitelist({ plan: { rules }, settings, scope }: EmitContext): Code {
  const apply = scope.hoist(applyWhitelist, 'applyWhitelist');
  const listed = scope.hoist(listedIn(rules, settings), 'listed');
  return code`  ${apply}(${listed}, ${scope.hoist(settings, 'settings')}, object, errors);\n`;
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
  const checks = [...first, ...unlessSkipped(settings, code`value`, [...rest, ...descent])];
  const isFound = isNested ? code` || inside !== undefined` : code``;
  return code`  {
  const value = ${member(code`object`, property.name)};
  let failed = 0;
${isNested ? code`  let inside;\n` : code``}${unlessOptional(known, code`value`, checks)}
  if (failed !== 0${isFound}) {
${writeConstraints(faults, isNested, scope)}
    ${errorMaker(settings, scope)}(errors, object, value, ${property.name}, ${isNested ? code`inside ?? []` : code`[]`}, constraints);
  }
  }`;
}

function writeTest({ holds }: Fault, bit: number, { stopAtFirstError }: Settings): Code {
  const first = stopAtFirstError ? code`failed === 0 && ` : code``;
  return code`  if (${first}!(${holds})) failed |= ${1 << bit};`;
}

/** A value that is neither an object nor a list has no nested values; null and undefined may be valid. */
function writeDescent(property: PropertyPlan, bit: number, context: EmitContext): Code {
  const { settings, scope } = context;
  const first = settings.stopAtFirstError ? code`failed === 0 && ` : code``;
  return code`  if (${first}value !== undefined) {
    inside = ${scope.hoist(context.nestedOf(property), 'checkNested')}(value, run);
    if (inside === undefined) failed |= ${1 << bit};
    else if (inside === ${scope.hoist(NOTHING, 'nothing')}) inside = undefined;
  }`;
}

function faultOf(planned: PlannedRule, { scope, settings, functions }: EmitContext): Fault {
  const { rule } = planned;
  return {
    holds: writeHolds(planned, code`value`, scope, functions),
    name: constraintName(rule, rule.validators[0]),
    sentence: ruleMessage(rule.declared, rule.messageSource, settings, planned.messageOf),
    of: code`object`,
  };
}

function nestedFault({ rules }: PropertyPlan, { settings, scope }: EmitContext): Fault {
  const rule = rules.nested[0]!;
  return {
    holds: code`true`,
    name: rule.type,
    sentence: ruleMessage(rule, undefined, settings),
    of: scope.hoist(rule.target),
  };
}

/** The messages of one failed rule are a literal; those of several have the order of their rules. */
function writeConstraints(faults: readonly Fault[], mayBeNone: boolean, scope: Scope): Code[] {
  const words = faults.map((fault) => wordsOf(fault, scope));
  const [only] = faults;
  if (only && faults.length === 1 && !mayBeNone)
    return [code`    const constraints = { ${only.name}: ${words[0]} };`];
  const alone = faults.map(
    ({ name }, bit) => code`    else if (failed === ${1 << bit}) constraints = { ${name}: ${words[bit]} };`,
  );
  const together = faults.map(
    ({ name }, bit) => code`      if (failed & ${1 << bit}) constraints[${name}] = ${words[bit]};`,
  );
  return [
    code`    let constraints;
    if (failed === 0) constraints = undefined;`,
    ...alone,
    code`    else {
      constraints = {};
${together}
    }`,
  ];
}

function wordsOf({ sentence, of }: Fault, scope: Scope): Code {
  if ('always' in sentence) return code`${sentence.always}`;
  return code`${scope.hoist(sentence.say, 'say')}(${of}, value)`;
}
