import { isFunction } from '../../shapes/values';
import { readTransforms, type TransformShape } from '../../shapes/transforms/transform-shape';
import type { ResponseFinding } from './response-faults';

/** Finds the response groups that no rule in its class or a nested class has. */
export function unknownGroups(type: Function, groups: readonly string[] = []): ResponseFinding[] {
  if (groups.length === 0) return [];
  const namedGroups = new Set([...within(type, new Set())].map(readTransforms).flatMap(groupsNamed));
  const names = [...namedGroups].toSorted().join(', ') || 'none';
  return groups
    .filter((group) => !namedGroups.has(group))
    .map((group) => ({
      code: 'SLUICE-C210',
      problem: `no rule of ${type.name} has the group '${group}' of its response`,
      remedy: `Use one of its groups (${names}), or add '${group}' to the @Expose of each field to send`,
    }));
}

function within(type: Function, seen: Set<Function>): Set<Function> {
  if (seen.has(type)) return seen;
  seen.add(type);
  for (const { typeFunction, discriminator } of readTransforms(type).typeOf.values()) {
    const named: unknown = typeFunction?.length === 0 ? typeFunction() : undefined;
    const subTypes = discriminator?.subTypes.map(({ value }) => value) ?? [];
    for (const part of [named, ...subTypes]) if (isFunction(part)) within(part, seen);
  }
  return seen;
}

function groupsNamed({ exposed, excluded, transformsOf }: TransformShape): string[] {
  const rules = [...exposed, ...excluded, ...[...transformsOf.values()].flat()];
  return rules.flatMap(({ groups }) => groups ?? []);
}
