import { readTransforms, type TypeRule } from '@app/engine';

/** Returns the groups that affect the sent fields in a class and its nested classes. */
export function responseGroups(type: Function): ReadonlySet<string> {
  const rules = [...responseClasses(type)].flatMap((part) => {
    const { exposed, transformsOf } = readTransforms(part);
    return [exposed, ...transformsOf.values()].flat();
  });
  return new Set(rules.flatMap(({ groups }) => groups ?? []));
}

/** Returns a class and its nested classes. */
export function responseClasses(type: Function, seen = new Set<Function>()): ReadonlySet<Function> {
  if (seen.has(type)) return seen;
  seen.add(type);
  for (const part of [...readTransforms(type).typeOf.values()].flatMap(classesOf))
    responseClasses(part, seen);
  return seen;
}

function classesOf({ typeFunction, discriminator }: TypeRule): Function[] {
  const named: unknown = typeFunction?.length === 0 ? typeFunction() : undefined;
  const all = [named, ...(discriminator?.subTypes ?? []).map(({ value }) => value)];
  return all.flatMap((type) => (typeof type === 'function' && !simple.has(type) ? [type] : []));
}

/** The types without members. */
const simple = new Set<unknown>([String, Number, Boolean, Date, Array, Object]);
