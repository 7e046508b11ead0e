import type { Choice } from '@app/engine';

/** The class-transformer options that select the sent fields, under their original names. */
export interface ResponseChoice {
  readonly groups: readonly string[];
  readonly version?: number | undefined;
  readonly strategy?: 'exposeAll' | 'excludeAll' | undefined;
  readonly excludePrefixes?: readonly string[] | undefined;
}

/** Returns the options that select fields. If `groups` is empty, rules apply regardless of their groups. */
export function selecting({ groups, ...more }: ResponseChoice): Choice {
  return { ...more, groups: groups.length > 0 ? groups : undefined };
}
