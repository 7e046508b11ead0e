import { builtInRule, type JsonSchema, meaningOf, type ValueRule } from '@app/engine';
import type { ValidationArguments } from 'class-validator';
import { combine } from './combine';

/**
 * Returns the rule schemas: keywords, or text if there is no equivalent keyword.
 *
 * class-validator applies rules with `each` to list elements, and also to a value that is no list.
 */
export function ruleSchemas(rules: readonly ValueRule[], isList: boolean): JsonSchema[] {
  const whole = rules.filter(({ declared }) => !declared.each).map(withoutEach);
  const each = rules.filter(({ declared }) => declared.each).map(withoutEach);
  return each.length === 0 ? whole : [...whole, ofElements(combine(each), isList)];
}

function ofElements(ofOne: JsonSchema, isList: boolean): JsonSchema {
  const ofList = { type: 'array', items: ofOne };
  return isList ? ofList : { anyOf: [ofList, ofOne] };
}

/** Whether a rule accepts only lists. */
export function requiresList(rule: ValueRule): boolean {
  return !rule.declared.each && withoutEach(rule).type === 'array';
}

/** Runs a rule on a value like class-validator. A rule that throws or is asynchronous fails. */
export function passes(rule: ValueRule, value: unknown): boolean {
  try {
    return rule.validators.every(
      (validator) => validator.instance.validate(value, argumentsOf(rule, value)) === true,
    );
  } catch {
    return false;
  }
}

function argumentsOf({ declared, constraints }: ValueRule, value?: unknown): ValidationArguments {
  return {
    value,
    constraints: [...constraints],
    property: declared.propertyName,
    object: {},
    targetName: '',
  };
}

function withoutEach(rule: ValueRule): JsonSchema {
  const { declared, builtin } = rule;
  const declaredAs = meaningOf(declared)?.keywords;
  if (declaredAs) return declaredAs;
  const libraryRule = builtInRule(builtin);
  const keywords =
    libraryRule?.keywords && Reflect.apply(libraryRule.keywords, undefined, argumentsOf(rule).constraints);
  return keywords ?? { ...(libraryRule?.takes === 'text' && { type: 'string' }), ...inWords(rule) };
}

/** Returns the rule's message, as class-validator would report it. */
function inWords(rule: ValueRule): JsonSchema {
  const { declared, validators, messageSource } = rule;
  const facts = argumentsOf(rule);
  const voice = messageSource ?? validators[0]?.instance;
  const message = typeof declared.message === 'string' ? declared.message : voice?.defaultMessage?.(facts);
  const text = (message ?? declared.name ?? '')
    .replaceAll('$property', facts.property)
    .replaceAll('each value in ', '')
    .replaceAll(/\$constraint(\d)/g, (_, at: string) => String(facts.constraints[Number(at) - 1]));
  return text === '' ? {} : { description: `${text.charAt(0).toUpperCase()}${text.slice(1)}.` };
}
