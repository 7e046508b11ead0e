import { fixedCodes, ruleCodes } from './input-problems/input-problems';
import { readRules, readTransforms, type TypeRule } from '@app/engine';
import type { RouteDescription, RouteInput } from './route-description';

/** The rules that a program's inputs can violate: the JSON argument types, by rule code. */
export type RuleCodes = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Collects the rules for all inputs, in code order. */
export function ruleCodesOf(routes: readonly RouteDescription[]): RuleCodes {
  const found = new Map<string, Record<string, string>>(fixedCodes.map((code) => [code, {}]));
  for (const { body, query, params } of routes) {
    for (const input of [body, query, params])
      if (input) addCodes(input.type, input.groups, found, new Set());
  }
  return Object.fromEntries([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function addCodes(
  type: Function,
  groups: RouteInput['groups'],
  found: Map<string, Record<string, string>>,
  seen: Set<Function>,
): void {
  if (seen.has(type)) return;
  seen.add(type);
  for (const { code, params } of ruleCodes(type, groups)) {
    const types = Object.entries(params).map(([name, value]) => [name, typeOf(value)]);
    found.set(code, { ...found.get(code), ...Object.fromEntries(types) });
  }
  for (const part of partsOf(type)) addCodes(part, groups, found, seen);
}

/** Returns the classes of a class's members, as far as they are known without a value. */
function partsOf(type: Function): Function[] {
  const { typeOf: types } = readTransforms(type);
  return readRules(type, { always: true }).properties.flatMap(({ name }) => classesOf(types.get(name)));
}

function classesOf({ typeFunction, discriminator }: Partial<TypeRule> = {}): Function[] {
  const subTypes = discriminator?.subTypes.map(({ value }): unknown => value) ?? [];
  const named: unknown = typeFunction?.length === 0 ? typeFunction() : undefined;
  return [named, ...subTypes].filter((one) => typeof one === 'function');
}

/** Returns the JSON type of a value. A list includes its element type, such as `string[]`. */
function typeOf(value: unknown): string {
  if (!Array.isArray(value)) return typeof value;
  const kinds = new Set(value.map((one: unknown) => typeof one));
  const [kind = 'string'] = kinds;
  return kinds.size > 1 ? 'unknown[]' : `${kind}[]`;
}
