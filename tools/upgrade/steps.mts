import { gt, lte } from 'semver';

/** What a release changes in the sources of a team, and how that is undone. Neither changes what it has changed already. */
export interface Codemod {
  /** What it changes, as its team reads it: `@Answers is @Returns`. */
  readonly changes: string;
  /** The files that it reads, by their paths in the workspace. */
  readonly files: RegExp;
  readonly apply: (text: string, path: string) => string;
  readonly undo: (text: string, path: string) => string;
}

/** One release, after the one before it. */
export interface Step {
  readonly from: string;
  readonly to: string;
  readonly codemods: readonly Codemod[];
}

/**
 * Every release after the first, oldest first; each is a file of `steps/`. The step of a release names the one that it may be rolled back
 * to, so that there is one for each, also without codemods.
 */
export const steps: readonly Step[] = [];

/** The steps after one release, up to another. */
export function stepsBetween(all: readonly Step[], from: string, to: string): readonly Step[] {
  return all.filter((step) => gt(step.to, from) && lte(step.to, to));
}

/** The release that one may be rolled back to. */
export function releaseBefore(all: readonly Omit<Step, 'codemods'>[], release: string): string | undefined {
  return all.find(({ to }) => to === release)?.from;
}
