import { fixedCodes, ruleCodes } from './input-problems/input-problems';
import { readRules, readTransforms, type TypeRule } from '@app/engine';
import type { RouteDescription, RouteInput } from './route-description';

/** The rules that a program's inputs can violate: the JSON argument types, by rule code. */
export type RuleCodes = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Collects the rules for all inputs, in code order. */
export function ruleCodesOf(routes: readonly RouteDescription[]): RuleCodes {
  const typesByCode = new Map<string, Record<string, string>>(fixedCodes.map((code) => [code, {}]));
  for (const { body, query, params } of routes) {
    for (const input of [body, query, params])
      if (input) addCodes(input.type, input.groups, typesByCode, new Set());
  }
  return Object.fromEntries([...typesByCode].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function addCodes(
  type: Function,
  groups: RouteInput['groups'],
  typesByCode: Map<string, Record<string, string>>,
  seen: Set<Function>,
): void {
  if (seen.has(type)) return;
  seen.add(type);
  for (const { code, params } of ruleCodes(type, groups)) {
    const types = Object.entries(params).map(([name, value]) => [name, typeOf(value)]);
    typesByCode.set(code, { ...typesByCode.get(code), ...Object.fromEntries(types) });
  }
  for (const part of partsOf(type)) addCodes(part, groups, typesByCode, seen);
}

/** Returns the classes of a class's members, as far as they are known without a value. */
function partsOf(type: Function): Function[] {
  const { typeOf: types } = readTransforms(type);
  return readRules(type, { always: true }).properties.flatMap(({ name }) => classesOf(types.get(name)));
}

function classesOf({ typeFunction, discriminator }: Partial<TypeRule> = {}): Function[] {
  const subTypes = discriminator?.subTypes.map(({ value }): unknown => value) ?? [];
  const named: unknown = typeFunction?.length === 0 ? typeFunction() : undefined;
  return [named, ...subTypes].filter((type) => typeof type === 'function');
}

/** Returns the JSON type of a value. A list includes its element type, such as `string[]`. */
function typeOf(value: unknown): string {
  if (!Array.isArray(value)) return typeof value;
  const kinds = new Set(value.map((item: unknown) => typeof item));
  const [kind = 'string'] = kinds;
  return kinds.size > 1 ? 'unknown[]' : `${kind}[]`;
}
