import { type Code, code, functionOf, joined, member } from '../../shapes/code/code';
import type { Scope } from '../../shapes/code/scope';
import type { PropertyRules, ValueRule } from '../../shapes/rules/rule-shape';
import { isThenable } from '../../shapes/values';
import { type PlannedRule, planRule } from '../plan/plan';
import type { Settings } from '../plan/settings';
import { callEach, waitFor, whenSettled } from '../run/async-rules';
import { constraintName, contextsOfProperty, giveContexts, type NamedContext } from '../run/contexts';
import { eachIs } from '../built-in-rules/each';
import { type Say, ruleMessage } from '../run/message-text';
import { fillIn } from '../run/messages';
import { compileNested } from '../run/nested';
import { argumentsOf, type Check, PropertyError } from '../run/property-error';

/** The context for generating the validation of a property. */
export interface OpenContext {
  readonly scope: Scope;
  readonly settings: Settings;
  readonly checkAny: Check;
  /** Functions of the program, in addition to that of the class. */
  readonly functions: Code[];
}

/**
 * Generates the validation of a property whose rules call user code, or have more than a message: conditions,
 * validators and messages are called in class-validator's order, with its arguments.
 *
 * @returns a statement that calls the generated function
 */
export function writeOpenProperty(rules: PropertyRules, context: OpenContext): Code {
  const { scope, settings, functions } = context;
  const { name, awaitsPromise } = rules;
  const check = scope.fresh(`check_${name}`);
  const error = scope.hoist(PropertyError, 'PropertyError');
  functions.push(
    functionOf(
      check,
      code`(object, value, errors, run) {
${writeConditions(rules, scope)}  const error = new ${error}(${scope.hoist(settings, 'settings')}, errors, object, value, ${name});
${writeRules(rules, context)}
}`,
    ),
  );
  const given = code`object, ${member(code`object`, name)}, errors, run`;
  return awaitsPromise
    ? code`  ${scope.hoist(whenSettled, 'whenSettled')}(${check}, ${given});`
    : code`  ${check}(${given});`;
}

/** Every condition is called, in order, even if an earlier one is false. */
function writeConditions({ conditions }: PropertyRules, scope: Scope): Code {
  if (conditions.length === 0) return code``;
  const asked = conditions.map(
    ({ constraints }, at) =>
      code`  const holds${at} = ${scope.hoist(constraints, 'condition')}[0](object, value);`,
  );
  const failed = conditions.map((_, at) => code`!holds${at}`);
  return code`${asked}\n  if (${joined(failed, ' || ')}) return;\n`;
}

function writeRules(rules: PropertyRules, context: OpenContext): Code[] {
  const { scope, settings } = context;
  const contexts = contextsOfProperty(rules);
  return [
    ...rules.defined.map((rule) => writeRule(rule, context)),
    ...writeContexts(contexts.defined, scope),
    ...writeSkip(settings),
    ...rules.leaves.map((rule) => writeRule(rule, context)),
    ...writeNested(rules, context),
    ...writeContexts(contexts.all, scope),
  ];
}

function writeContexts(contexts: readonly NamedContext[], scope: Scope): Code[] {
  if (contexts.length === 0) return [];
  return [code`  ${scope.hoist(giveContexts, 'giveContexts')}(${scope.hoist(contexts, 'contexts')}, error);`];
}

function writeSkip({ skipMissing, skipUndefined, skipNull }: Settings): Code[] {
  return [
    ...(skipUndefined || skipMissing ? [code`  if (value === undefined) return;`] : []),
    ...(skipNull || skipMissing ? [code`  if (value === null) return;`] : []),
  ];
}

function writeNested({ nested }: PropertyRules, { scope, settings, checkAny }: OpenContext): Code[] {
  if (nested.length === 0) return [];
  const { descend } = compileNested(nested, settings, checkAny);
  return [code`  ${scope.hoist(descend, 'checkNested')}(error, run);`];
}

function writeRule(rule: ValueRule, context: OpenContext): Code {
  const { scope } = context;
  const { declared } = rule;
  const known = planRule(rule);
  const lines = rule.validators.flatMap((validator) =>
    known ? writeKnown(rule, known, validator, context) : writeTypeCall(rule, validator, context),
  );
  if (!declared.validateIf) return code`${lines}`;
  return code`  if (${scope.hoist(declared, 'rule')}.validateIf(object, value)) {\n${lines}\n  }`;
}

type Validator = ValueRule['validators'][number];

/** A rule whose test is compiled. */
function writeKnown(
  rule: ValueRule,
  known: PlannedRule,
  validator: Validator,
  { scope, settings }: OpenContext,
): Code[] {
  const holds = known.isEach
    ? code`${scope.hoist(eachIs, 'eachIs')}(value, ${scope.hoist(known.test, `is${known.name}`)})`
    : known.emit(code`value`, scope);
  const sentence = ruleMessage(rule.declared, rule.messageSource, settings);
  const words =
    'always' in sentence
      ? code`${sentence.always}`
      : code`${scope.hoist(sentence.say, 'say')}(object, value)`;
  const name = constraintName(rule, validator);
  return [code`  if (${unlessStopped(settings)}!(${holds})) error.open().constraints[${name}] = ${words};`];
}

/** A rule whose validator is called with class-validator's arguments. */
function writeTypeCall(rule: ValueRule, validator: Validator, { scope, settings }: OpenContext): Code[] {
  if (validator.async && settings.ignoreAsync) return [];
  const { declared } = rule;
  const raw = scope.hoist(validator, 'validator');
  const given = code`${scope.hoist(argumentsOf, 'argumentsOf')}(object, value, ${scope.hoist(declared, 'rule')})`;
  const one = code`${raw}.instance.validate(value, ${given})`;
  const isList = code`Array.isArray(value) || value instanceof ${scope.hoist(Set, 'Set')} || value instanceof ${scope.hoist(Map, 'Map')}`;
  const ask = declared.each
    ? code`${isList} ? ${scope.hoist(callEach, 'callEach')}(${raw}, value, ${given}) : ${one}`
    : one;
  const say = scope.hoist(sayerOf(rule, validator, settings), 'say');
  const name = constraintName(rule, validator);
  const context = declared.context ? scope.hoist(declared.context, 'context') : code`undefined`;
  const body = code`    const result = ${ask};
    if (${scope.hoist(isThenable, 'isThenable')}(result)) ${scope.hoist(waitFor, 'waitFor')}(result, error, ${name}, ${say}, ${context}, run);
    else if (!result) error.open().constraints[${name}] = ${say}(object, value);`;
  const stop = settings.stopAtFirstError ? code`if (!error.hasConstraints) ` : code``;
  return [code`  ${stop}{\n${body}\n  }`];
}

function unlessStopped({ stopAtFirstError }: Settings): Code {
  return stopAtFirstError ? code`!error.hasConstraints && ` : code``;
}

/** The message function of a rule with a user's validator: its result may differ at each call. */
function sayerOf(rule: ValueRule, validator: Validator, settings: Settings): Say {
  const { declared } = rule;
  if (typeof declared.message !== 'function' && (rule.builtin !== undefined || declared.message)) {
    const sentence = ruleMessage(declared, rule.messageSource, settings);
    return 'always' in sentence ? () => sentence.always : sentence.say;
  }
  return (object, value) => {
    const given = argumentsOf(object, value, declared);
    let message: unknown = declared.message || '';
    if (!declared.message && settings.defaultMessages) {
      const messageSource = validator.instance;
      if (messageSource.defaultMessage instanceof Function) message = messageSource.defaultMessage(given);
    }
    return fillIn(message as string, given);
  };
}
