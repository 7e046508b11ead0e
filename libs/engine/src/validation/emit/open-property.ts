import { type Code, code, functionOf, joined, member, NOTHING, not, when } from '../../shapes/code/code';
import type { Scope } from '../../shapes/code/scope';
import type { PropertyRules, ValueRule } from '../../shapes/rules/rule-shape';
import { isThenable } from '../../shapes/values';
import { eachIs } from '../built-in-rules/each';
import { type PlannedRule, planRule } from '../plan/plan';
import type { Settings } from '../plan/settings';
import { callEach, waitFor, whenSettled } from '../run/async-rules';
import { constraintName, contextsOfProperty, giveContexts, type NamedContext } from '../run/contexts';
import { ruleMessage, userMessage } from '../run/message-text';
import { compileNested } from '../run/nested';
import { argumentsOf, type Check, PropertyError } from '../run/property-error';
import { writeMessage } from './emit-message';
import { unlessSkipped } from './emit-tests';
import { isList, isMapOf, nameOf } from './make-context';

/** The context for generating a property's validation. */
export interface OpenContext {
  readonly scope: Scope;
  readonly settings: Settings;
  readonly checkAny: Check;
  /** The program's functions, in addition to the class function. */
  readonly functions: Code[];
}

/**
 * Generates the validation of a property with rules that call user code, or that have more than a message. Conditions,
 * validators and messages are called in class-validator's order, with its arguments.
 *
 * @returns a statement that calls the generated function
 */
export function writeOpenProperty(rules: PropertyRules, context: OpenContext): Code {
  const { scope, settings, functions } = context;
  const { name, awaitsPromise } = rules;
  const check = scope.fresh(`check_${name}`);
  const error = scope.hoist(PropertyError);
  functions.push(
    functionOf(
      check,
      code`(object, value, errors, run) {
        ${writeConditions(rules, scope)}
        const error = new ${error}(${scope.hoist(settings, 'settings')}, errors, object, value, ${name});
        ${writeRules(rules, context)}
      }`,
    ),
  );
  const values = code`object, ${member(code`object`, name)}, errors, run`;
  const wait = scope.hoist(whenSettled);
  return awaitsPromise ? code`${wait}(${check}, ${values});` : code`${check}(${values});`;
}

/** Generates the condition calls. Every condition is called, in order, even if an earlier condition is false. */
function writeConditions({ conditions }: PropertyRules, scope: Scope): Code[] {
  if (conditions.length === 0) return [];
  const calls = conditions.map(
    ({ constraints }, at) =>
      code`const holds${at} = ${scope.hoist(constraints, 'condition')}[0](object, value);`,
  );
  const failed = conditions.map((_, at) => code`!holds${at}`);
  return [...calls, when(joined(failed, ' || '), code`return;`)];
}

function writeRules(rules: PropertyRules, context: OpenContext): Code[] {
  const { scope, settings } = context;
  const contexts = contextsOfProperty(rules);
  return [
    ...rules.defined.map((rule) => writeRule(rule, context)),
    writeContexts(contexts.defined, scope),
    unlessSkipped(settings, code`value`, [
      ...rules.leaves.map((rule) => writeRule(rule, context)),
      writeNested(rules, context),
      writeContexts(contexts.all, scope),
    ]),
  ];
}

function writeContexts(contexts: readonly NamedContext[], scope: Scope): Code {
  if (contexts.length === 0) return NOTHING;
  return code`${scope.hoist(giveContexts)}(${scope.hoist(contexts, 'contexts')}, error);`;
}

function writeNested({ nested }: PropertyRules, { scope, settings, checkAny }: OpenContext): Code {
  if (nested.length === 0) return NOTHING;
  const { descend } = compileNested(nested, settings, checkAny);
  return code`${scope.hoist(descend, 'checkNested')}(error, run);`;
}

function writeRule(rule: ValueRule, context: OpenContext): Code {
  const { declared, validators } = rule;
  const planned = planRule(rule);
  const steps = validators.map((validator) =>
    planned ? writeKnown(rule, planned, validator, context) : writeCall(rule, validator, context),
  );
  if (!declared.validateIf) return code`${steps}`;
  return when(code`${context.scope.hoist(declared, 'rule')}.validateIf(object, value)`, steps);
}

type Validator = ValueRule['validators'][number];

/** Generates the call for a rule with a compiled test. */
function writeKnown(
  rule: ValueRule,
  { name, emit, test, isEach }: PlannedRule,
  validator: Validator,
  { scope, settings }: OpenContext,
): Code {
  const value = code`value`;
  const testEach = () => code`${scope.hoist(eachIs)}(value, ${scope.hoist(test, `is${name}`)})`;
  const holds = isEach ? testEach() : emit(value, scope);
  const message = ruleMessage(rule.declared, rule.messageSource, settings);
  const failure = code`error.open().constraints[${nameOf(constraintName(rule, validator), scope)}]`;
  return when(
    unlessStopped(settings, not(holds)),
    code`${failure} = ${writeMessage(message, code`object`, scope)};`,
  );
}

/** Generates the call for a rule with a validator that gets class-validator's arguments. */
function writeCall(rule: ValueRule, validator: Validator, { scope, settings }: OpenContext): Code {
  if (validator.async && settings.ignoreAsync) return NOTHING;
  const { declared } = rule;
  const value = code`value`;
  const instance = scope.hoist(validator, 'validator');
  const values = code`${scope.hoist(argumentsOf, 'argumentsOf')}(object, value, ${scope.hoist(declared, 'rule')})`;
  const call = code`${instance}.instance.validate(value, ${values})`;
  const isSet = code`value instanceof ${scope.hoist(Set)}`;
  const isMany = code`${isList(value)} || ${isSet} || ${isMapOf(value, scope)}`;
  const callAll = () => code`${scope.hoist(callEach)}(${instance}, value, ${values})`;
  const say = scope.hoist(userMessage(rule, validator.instance, settings), 'say');
  const constraint: unknown = constraintName(rule, validator);
  const name = nameOf(constraint, scope);
  const context = declared.context ? scope.hoist(declared.context, 'context') : undefined;
  const wait = scope.hoist(waitFor);
  const steps = [
    code`const result = ${declared.each ? code`${isMany} ? ${callAll()} : ${call}` : call};`,
    when(
      code`${scope.hoist(isThenable, 'isThenable')}(result)`,
      code`${wait}(result, error, ${name}, ${say}, ${context}, run);`,
      when(code`!result`, [
        isHidden(constraint) ? code`run.hasHiddenNames = true;` : NOTHING,
        code`error.open().constraints[${name}] = ${say}(object, value);`,
      ]),
    ),
  ];
  return settings.stopAtFirstError ? when(code`!error.hasConstraints`, steps) : code`{\n${steps}\n}`;
}

/** Whether an error that only has a message with this name counts as empty. */
function isHidden(name: unknown): boolean {
  return name === '__proto__' || typeof name === 'symbol' || typeof name === 'object';
}

function unlessStopped({ stopAtFirstError }: Settings, test: Code): Code {
  return stopAtFirstError ? code`!error.hasConstraints && ${test}` : test;
}
