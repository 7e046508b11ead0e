import { copyList, isSame } from '../lists';
import { type DeclaredOptions, invalidateAll } from './storage';

/** Whether declarations are unchanged since they were read. */
export type IsUnchanged = () => boolean;

/** The options of a decorator, with copies for comparison. */
interface ReadOptions extends Required<{ readonly [Name in keyof DeclaredOptions]: unknown }> {
  readonly options: DeclaredOptions;
  readonly copiedGroups: unknown;
}

/**
 * Compares decorator options with copies, because class-transformer stores the objects by reference and reads them at every
 * value, so that changes to them take effect.
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
  const { name, since, until, groups, toClassOnly, toPlainOnly } = options;
  return { options, name, since, until, groups, toClassOnly, toPlainOnly, copiedGroups: copyList(groups) };
}

/**
 * Whether the options are unchanged. The comparisons are written out because V8 then knows where the members are, and every
 * value calls this function.
 */
function isSameAsRead(read: ReadOptions): boolean {
  const { name, since, until, groups, toClassOnly, toPlainOnly } = read.options;
  return (
    name === read.name &&
    Object.is(since, read.since) &&
    Object.is(until, read.until) &&
    groups === read.groups &&
    toClassOnly === read.toClassOnly &&
    toPlainOnly === read.toPlainOnly &&
    isSame(groups, read.copiedGroups)
  );
}
