import { ruleOfKey, type ValueRule } from '@app/engine';

/**
 * Returns the rule arguments by name: `{ min: 8 }`. Custom rules have `constraint1` and so on, as in their messages.
 *
 * @param code the key of the rule's message, such as `minLength`
 * @returns the arguments that JSON can represent; patterns as their source
 */
export function factsOf({ declared }: ValueRule, code: string): Readonly<Record<string, unknown>> {
  // Its type claims that it is never undefined.
  const constraints: unknown = declared.constraints;
  if (!Array.isArray(constraints)) return {};
  const names = ruleOfKey(code)?.arguments;
  const facts = constraints.map((constraint: unknown, at): [string, unknown] => [
    names ? (names[at] ?? '') : `constraint${at + 1}`,
    toJson(constraint),
  ]);
  return Object.fromEntries(facts.filter(([name, value]) => name !== '' && value !== undefined));
}

function toJson(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value instanceof RegExp) return value.source;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (!Array.isArray(value)) return undefined;
  const all = value.map(toJson);
  return all.includes(undefined) ? undefined : all;
}
