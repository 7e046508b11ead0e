import { isSame } from '../lists';
import { type DeclaredOptions, invalidateAll } from './storage';

/** Whether declarations are unchanged since they were read. */
export type IsUnchanged = () => boolean;

/** The options of one decorator, and a copy. */
interface ReadOptions {
  readonly options: object;
  readonly groups: readonly unknown[] | undefined;
  readonly copy: Readonly<Record<string, unknown>>;
  readonly copiedGroups: readonly unknown[] | undefined;
}

/**
 * Compares the options objects of decorators with copies: class-transformer stores them by reference and reads them
 * at every value, so that changes to them take effect.
 *
 * @returns `undefined` if there are no options
 */
export function watchOptions(all: readonly (DeclaredOptions | undefined)[]): IsUnchanged | undefined {
  const watched = all
    .filter((options) => options !== undefined)
    .filter((options) => Object.keys(options).length > 0)
    .map(remember);
  if (watched.length === 0) return undefined;
  return () => {
    const isUnchanged = watched.every(isSameAsRead);
    if (!isUnchanged) invalidateAll();
    return isUnchanged;
  };
}

function remember(options: DeclaredOptions): ReadOptions {
  const groups: unknown = options.groups;
  const list = Array.isArray(groups) ? (groups as unknown[]) : undefined;
  return { options, groups: list, copy: { ...options }, copiedGroups: list && [...list] };
}

function isSameAsRead({ options, groups, copy, copiedGroups }: ReadOptions): boolean {
  let count = 0;
  for (const name in options) {
    if (Reflect.get(options, name) !== copy[name]) return false;
    count += 1;
  }
  return count === Object.keys(copy).length && isSame(groups, copiedGroups);
}
