import { assemble, type Assembled } from '../../shapes/code/assemble';
import { type Code, code, member, NOTHING, not, when } from '../../shapes/code/code';
import { Scope } from '../../shapes/code/scope';
import { nameOfClass } from '../../shapes/named';
import type { ClassPlan, KnownRules, PlannedRule, PropertyPlan } from '../plan/plan';
import type { Settings } from '../plan/settings';
import { constraintName } from '../run/contexts';
import { ruleMessage } from '../run/message-text';
import { type CheckNested, NO_ERRORS } from '../run/nested';
import { type Check, pushError } from '../run/property-error';
import { applyWhitelist, listedIn } from '../run/whitelist';
import { unlessOptional, unlessSkipped, writeHolds } from './emit-tests';
import { writeMessage } from './emit-message';
import { writeOpenProperty } from './open-property';

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

/** A property rule that may fail. */
interface Fault {
  /** The expression that tells whether the rule holds. */
  readonly holds: Code;
  readonly name: string;
  /** The expression for the message. */
  readonly message: Code;
}

/** Generates the code that validates an instance in class-validator's order, and calls user code in that order. */
export function emitCheck(plan: ClassPlan, order: CheckOrder): Assembled<Check> {
  const context: EmitContext = { ...order, plan, scope: new Scope(), functions: [] };
  const { scope } = context;
  const blocks = plan.rules.properties.map((rules) => {
    const property = plan.properties.find(({ name }) => name === rules.name);
    return property?.planned && property.hasMessagesOnly
      ? writeProperty(property, property.planned, context)
      : writeOpenProperty(rules, context);
  });
  const name = scope.fresh(nameOfClass(plan.type));
  const body = code`
    ${context.functions}
    return (function check${name}(object, errors, run) {
      ${order.settings.whitelist ? writeWhitelist(context) : NOTHING}
      ${blocks}
    });`;
  return assemble(`check ${nameOfClass(plan.type)}`, body, scope);
}

function writeWhitelist({ plan: { rules }, settings, scope }: EmitContext): Code {
  const apply = scope.hoist(applyWhitelist);
  const listed = scope.hoist(listedIn(rules), 'listed');
  return code`${apply}(${listed}, ${scope.hoist(settings, 'settings')}, object, errors);`;
}

/** Generates the tests for a property. Each failed rule sets a bit in `failed`. */
function writeProperty(property: PropertyPlan, rules: KnownRules, context: EmitContext): Code {
  const { settings, scope } = context;
  const value = code`value`;
  const defined = rules.defined.map((rule) => faultOf(rule, context));
  const leaves = rules.leaves.map((rule) => faultOf(rule, context));
  const nested = rules.isNested ? [nestedFault(property, context)] : [];
  const faults = [...defined, ...leaves, ...nested];
  const tests = [...defined, ...leaves].map((fault, bit) => writeTest(fault, bit, settings));
  const descent = rules.isNested ? [writeDescent(property, faults.length - 1, context)] : [];
  const checks = [
    ...tests.slice(0, defined.length),
    unlessSkipped(settings, value, [...tests.slice(defined.length), ...descent]),
  ];
  const children = rules.isNested ? code`inside ?? []` : code`[]`;
  const push = scope.hoist(pushError);
  const fields = code`object, value, ${property.name}, ${children}, constraints`;
  return code`{
    const value = ${member(code`object`, property.name)};
    let failed = 0;
    ${rules.isNested ? code`let inside;` : NOTHING}
    ${unlessOptional(rules, value, checks)}
    ${when(rules.isNested ? code`failed !== 0 || inside !== undefined` : code`failed !== 0`, [
      ...writeConstraints(faults, rules.isNested),
      code`${push}(${scope.hoist(settings, 'settings')}, errors, ${fields});`,
    ])}
  }`;
}

function writeTest({ holds }: Fault, bit: number, settings: Settings): Code {
  return when(unlessFailed(settings, not(holds)), failWith(bit));
}

function unlessFailed({ stopAtFirstError }: Settings, test: Code): Code {
  return stopAtFirstError ? code`failed === 0 && ${test}` : test;
}

function failWith(bit: number): Code {
  return code`failed |= ${1 << bit};`;
}

/** Generates the validation of nested values. Only objects and lists contain nested values; null and undefined may be valid. */
function writeDescent(property: PropertyPlan, bit: number, context: EmitContext): Code {
  const { settings, scope } = context;
  const check = scope.hoist(context.nestedOf(property), 'checkNested');
  const isEmpty = code`inside === ${scope.hoist(NO_ERRORS, 'noErrors')}`;
  return when(unlessFailed(settings, code`value !== undefined`), [
    code`inside = ${check}(value, run);`,
    when(code`inside === undefined`, failWith(bit), when(isEmpty, code`inside = undefined;`)),
  ]);
}

function faultOf(planned: PlannedRule, { scope, settings, functions }: EmitContext): Fault {
  const { rule } = planned;
  const message = ruleMessage(rule.declared, rule.messageSource, settings);
  return {
    holds: writeHolds(planned, code`value`, scope, functions),
    name: constraintName(rule, rule.validators[0]),
    message: writeMessage(message, code`object`, scope),
  };
}

function nestedFault({ rules }: PropertyPlan, { settings, scope }: EmitContext): Fault {
  const rule = rules.nested[0]!;
  const message = ruleMessage(rule, undefined, settings);
  return {
    holds: code`true`,
    name: rule.type,
    message: writeMessage(message, scope.hoist(rule.target), scope),
  };
}

/** Generates the messages. A single failed rule gets a literal; several failed rules get their messages in rule order. */
function writeConstraints(faults: readonly Fault[], mayBeNone: boolean): Code[] {
  const literals = faults.map(({ name, message }) => code`{ ${name}: ${message} };`);
  if (faults.length === 1 && !mayBeNone) return [code`const constraints = ${literals[0]}`];
  const together = faults.map(({ name, message }, bit) =>
    when(code`failed & ${1 << bit}`, code`constraints[${name}] = ${message};`),
  );
  const several = [code`constraints = {};`, ...together];
  const alone = literals.reduceRight<Code>(
    (otherwise, literal, bit) =>
      when(code`failed === ${1 << bit}`, code`constraints = ${literal}`, otherwise),
    code`${several}`,
  );
  return [code`let constraints;`, when(code`failed !== 0`, alone)];
}
