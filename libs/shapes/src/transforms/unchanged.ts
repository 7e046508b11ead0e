import { type DeclaredOptions, noteChange } from './storage';

/** Whether what was declared is what it was when it was read. */
export type IsUnchanged = () => boolean;

/** What one decorator was told, and a copy of it. */
interface Told {
  readonly options: object;
  readonly groups: readonly unknown[] | undefined;
  readonly copy: Readonly<Record<string, unknown>>;
  readonly copiedGroups: readonly unknown[] | undefined;
}

/**
 * Watches the options objects of decorators: class-transformer keeps them by reference and reads them anew at every value,
 * so a caller who changes one later changes what it does.
 *
 * @returns `undefined` where there is nothing that could change
 */
export function watchOptions(all: readonly (DeclaredOptions | undefined)[]): IsUnchanged | undefined {
  const told = all
    .filter((options) => options !== undefined)
    .filter((options) => Object.keys(options).length > 0)
    .map(remember);
  if (told.length === 0) return undefined;
  return () => {
    const isUnchanged = told.every(isAsTold);
    if (!isUnchanged) noteChange();
    return isUnchanged;
  };
}

function remember(options: DeclaredOptions): Told {
  const groups: unknown = options.groups;
  const list = Array.isArray(groups) ? (groups as unknown[]) : undefined;
  return { options, groups: list, copy: { ...options }, copiedGroups: list && [...list] };
}

function isAsTold({ options, groups, copy, copiedGroups }: Told): boolean {
  let count = 0;
  for (const name in options) {
    if (Reflect.get(options, name) !== copy[name]) return false;
    count += 1;
  }
  return count === Object.keys(copy).length && isSameList(groups, copiedGroups);
}

function isSameList(one: readonly unknown[] | undefined, other: readonly unknown[] | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.length === other.length && one.every((item, at) => item === other[at]);
}
