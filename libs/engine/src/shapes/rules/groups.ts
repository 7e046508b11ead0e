import { getMetadataStorage } from 'class-validator';
import { rulesGeneration } from './storage';

let declared: ReadonlySet<unknown> = new Set();
let generation = -1;

/** Returns the groups that any rule in the program names. */
function declaredGroups(): ReadonlySet<unknown> {
  if (generation === rulesGeneration()) return declared;
  generation = rulesGeneration();
  const stored: Iterable<unknown> = Reflect.get(getMetadataStorage(), 'validationMetadatas');
  const rules = stored instanceof Map ? [...stored.values()].flat() : [...stored];
  declared = new Set(rules.flatMap((rule) => (rule as { readonly groups?: unknown[] }).groups ?? []));
  return declared;
}

/** Returns a text that is the same for group lists that select the same rules. */
export function groupsKey(groups: unknown): string {
  if (!Array.isArray(groups)) return '';
  const allGroups = declaredGroups();
  return `${groups.length > 0} ${groups
    .filter((group) => allGroups.has(group))
    .map(String)
    .toSorted()
    .join()}`;
}

/**
 * Returns a function that compares any groups with `own` by the rules that they select, because a caller may pass any number of
 * groups that no rule names, such as `tenant:42`.
 */
export function selectsLike(own: unknown): (groups: unknown) => boolean {
  if (!Array.isArray(own)) return (groups) => groups === own;
  const allGroups = declaredGroups();
  const selected = own.filter((group) => allGroups.has(group));
  return (groups) =>
    Array.isArray(groups) &&
    groups.length > 0 === own.length > 0 &&
    selected.every((group) => groups.includes(group)) &&
    groups.every((group) => !allGroups.has(group) || selected.includes(group));
}
