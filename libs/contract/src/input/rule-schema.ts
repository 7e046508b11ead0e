import { type JsonSchema, type ValueRule, meaningOf } from '@app/shapes';
import type { ValidationArguments } from 'class-validator';
import { combine } from './combine';
import { ruleKeywords } from './rule-keywords';

/**
 * What one rule asks of a property, in keywords; in words where no keyword says it.
 *
 * With `each`, class-validator holds the elements of a list to the rule, and a value that is no list itself.
 */
export function ruleSchema(rule: ValueRule, isList: boolean): JsonSchema {
  const ofOne = withoutEach(rule);
  if (!rule.declared.each) return ofOne;
  const ofList = { type: 'array', items: ofOne };
  return isList ? ofList : { anyOf: [ofList, { ...combine([ofOne]) }] };
}

/** Whether a rule lets nothing but lists pass. */
export function asksForList(rule: ValueRule): boolean {
  return !rule.declared.each && withoutEach(rule).type === 'array';
}

/** Asks a rule about a value, as class-validator would. What throws or takes time does not pass. */
export function passes(rule: ValueRule, value: unknown): boolean {
  try {
    return rule.validators.every((one) => one.instance.validate(value, given(rule, value)) === true);
  } catch {
    return false;
  }
}

function given({ declared }: ValueRule, value?: unknown): ValidationArguments {
  // Its type says that it is always there.
  const listed: unknown = declared.constraints;
  const constraints = Array.isArray(listed) ? listed : [];
  return { value, constraints, property: declared.propertyName, object: {}, targetName: '' };
}

function withoutEach(rule: ValueRule): JsonSchema {
  const { declared, builtin } = rule;
  const said = meaningOf(declared)?.keywords;
  const asks = (value: unknown) => passes(rule, value);
  const ours = builtin === undefined ? undefined : ruleKeywords(builtin, given(rule).constraints, asks);
  return said ?? ours ?? inWords(rule);
}

/** The rule's own message, as class-validator would have told it. */
function inWords(rule: ValueRule): JsonSchema {
  const { declared, validators, speaker } = rule;
  const facts = given(rule);
  const voice = speaker ?? validators[0]?.instance;
  const said = typeof declared.message === 'string' ? declared.message : voice?.defaultMessage?.(facts);
  const told = (said ?? declared.name ?? '')
    .replaceAll('$property', facts.property)
    .replaceAll('each value in ', '')
    .replaceAll(/\$constraint(\d)/g, (_, at: string) => String(facts.constraints[Number(at) - 1]));
  return told === '' ? {} : { description: `${told.charAt(0).toUpperCase()}${told.slice(1)}.` };
}
