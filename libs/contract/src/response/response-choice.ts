import type { Choice } from '@app/engine';

/** Class-transformer's options of the same names, which select the fields that are sent. */
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
