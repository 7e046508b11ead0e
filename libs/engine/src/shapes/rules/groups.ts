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
  const known = declaredGroups();
  return `${groups.length > 0} ${groups
    .filter((group) => known.has(group))
    .map(String)
    .toSorted()
    .join()}`;
}

/**
 * Returns a function that compares any groups with `own` by the rules that they select, because a caller may pass any number of
 * groups that no rule names, such as `tenant:42`.
 */
export function selectsLike(own: unknown): (given: unknown) => boolean {
  if (!Array.isArray(own)) return (given) => given === own;
  const known = declaredGroups();
  const selected = own.filter((group) => known.has(group));
  return (given) =>
    Array.isArray(given) &&
    given.length > 0 === own.length > 0 &&
    selected.every((group) => given.includes(group)) &&
    given.every((group) => !known.has(group) || selected.includes(group));
}
