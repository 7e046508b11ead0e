import type { ValueRule } from '@app/shapes';
import type { ValidationArguments } from 'class-validator';
import { knownRule } from './leaves/rules';
import type { Settings } from '../plan/settings';
import { type Sentence, sentenceOf } from './message-text';
import { fillIn } from './messages';
import { addContext, argumentsOf, type OpenError, type PropertyError } from './property-error';

/** What one validation keeps beside its errors. */
export interface Pending {
  /** What asynchronous rules have yet to say. Errors were made before it was known whether they are any. */
  readonly pending: PromiseLike<unknown>[];
}

/** Runs one rule on one property. */
export type CheckRule = (error: PropertyError, run: Pending) => void;

/** How a validator answers for a value. Without arguments where nobody will look at them. */
type Ask = (value: unknown, given: ValidationArguments | undefined) => unknown;

type Validator = ValueRule['validators'][number];

/**
 * Compiles a rule to a closure: its condition, the validator itself or what was proven equal to it, its message.
 *
 * @param rule one of a property's `defined` or `leaves`
 */
export function compileRule(rule: ValueRule, settings: Settings): CheckRule {
  const { declared } = rule;
  const checks = rule.validators.map((validator) => compileCustomRule(rule, validator, settings));
  return (error, run) => {
    if (declared.validateIf && !declared.validateIf(error.object, error.value)) return;
    for (const check of checks) check(error, run);
  };
}

function compileCustomRule(rule: ValueRule, validator: Validator, settings: Settings): CheckRule {
  const { declared } = rule;
  const predicate = knownRule(rule)?.test;
  const ask: Ask = predicate ?? ((value, given) => validator.instance.validate(value, given));
  const say = sayerOf(rule, validator, settings);
  if (validator.async && settings.ignoreAsync) return () => undefined;
  return (error, run) => {
    const { object, value } = error;
    if (settings.stopAtFirstError && error.hasConstraints) return;
    const given = predicate ? undefined : argumentsOf(object, value, declared);
    const isValid =
      declared.each && isCollection(value)
        ? askEach(elementsOf(value), (element) => ask(element, given))
        : ask(value, given);
    if (isThenable(isValid)) waitFor(isValid, declared.context, error, say, run);
    else if (!isValid) say(error.open(), error);
  };
}

/** Every element is asked, then all answers are looked at: a rule may throw, wait, or count. */
function askEach(elements: readonly unknown[], ask: (element: unknown) => unknown): unknown {
  const answers = elements.map((element) => ask(element));
  if (!answers.some(isThenable)) return answers.every(Boolean);
  const all = answers.map((answer) => (isThenable(answer) ? answer : Promise.resolve(answer)));
  return Promise.all(all).then((settled) => settled.every(Boolean));
}

/** Writes the message of a failed rule into its error, and tells under which name. */
type Say = (open: OpenError, error: PropertyError) => string;

/** The error stands in its place from now on; whether it is one is known later. */
function waitFor(
  answer: PromiseLike<unknown>,
  context: unknown,
  error: PropertyError,
  say: Say,
  run: Pending,
): void {
  const open = error.open();
  const settled = answer.then((isValid) => {
    const name = isValid ? undefined : say(open, error);
    if (name !== undefined && context) addContext(open, name, context);
    return name;
  });
  run.pending.push(settled);
}

function sayerOf(rule: ValueRule, validator: Validator, settings: Settings): Say {
  const name = constraintName(rule, validator);
  const { declared, builtin } = rule;
  const isKnown = typeof declared.message !== 'function' && (builtin !== undefined || declared.message);
  if (!isKnown) return ownSayer(rule, validator, settings, name);
  let sentence: Sentence | undefined;
  return (open, { object, value }) => {
    sentence ??= sentenceOf(declared, rule.speaker, settings);
    open.constraints[name] = 'always' in sentence ? sentence.always : sentence.say(object, value);
    return name;
  };
}

/** For words of the user, who may say something else each time. */
function ownSayer({ declared }: ValueRule, validator: Validator, settings: Settings, name: string): Say {
  return (open, { object, value }) => {
    const given = argumentsOf(object, value, declared);
    let message: unknown = declared.message || '';
    if (!declared.message && settings.defaultMessages) {
      const speaker = validator.instance;
      if (speaker.defaultMessage instanceof Function) message = speaker.defaultMessage(given);
    }
    open.constraints[name] = fillIn(message as string, given);
    return name;
  };
}

/** Under which key a failed rule stands in `constraints`. */
export function constraintName({ declared }: ValueRule, validator: Validator | undefined): string {
  return validator?.name ? validator.name : declared.type;
}

function isCollection(value: unknown): value is readonly unknown[] | Set<unknown> | Map<unknown, unknown> {
  return Array.isArray(value) || value instanceof Set || value instanceof Map;
}

function elementsOf(value: readonly unknown[] | Set<unknown> | Map<unknown, unknown>): readonly unknown[] {
  if (value instanceof Map) return Array.from(value.values());
  return Array.isArray(value) ? value : Array.from(value as Set<unknown>);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    value !== null && typeof value === 'object' && typeof (value as { then?: unknown }).then === 'function'
  );
}
