import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/** A file of the workspace after an upgrade, and what is said of it. */
export interface Merged {
  /** `undefined` if it is deleted. */
  readonly text: string | undefined;
  readonly lines: readonly string[];
}

/**
 * Takes the text of a release where the team has not edited that of the release before. An edited file stays as it is, and what the
 * release changes in it is shown as a patch.
 *
 * @param base   what the release before wrote; `undefined` for none, as the others
 * @param ours   what the team has
 * @param theirs what the release writes
 */
export function mergeText(
  path: string,
  base: string | undefined,
  ours: string | undefined,
  theirs: string | undefined,
): Merged {
  const [ending, before] = [ours?.includes('\r\n') ? '\r\n' : '\n', ours?.replaceAll('\r\n', '\n')];
  const stays = (...lines: string[]): Merged => ({ text: ours, lines });
  if (base === theirs || before === theirs) return stays();
  if (before === base) {
    const what = base === undefined ? 'created' : theirs === undefined ? 'deleted' : 'updated';
    return { text: theirs?.replaceAll('\n', ending), lines: [`${path}: ${what}`] };
  }
  if (theirs === undefined) return stays(`${path}: edited here, so it stays; the release no longer has it`);
  if (before === undefined)
    return stays(`${path}: deleted here, so it stays deleted; the release changes it`);
  const patch = patchOf(path, base ?? before, theirs);
  return stays(`${path}: edited here, so it stays; the release changes this:`, patch);
}

/** As `git apply` reads it. */
function patchOf(path: string, before: string, after: string): string {
  return createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, {
    headerOptions: FILE_HEADERS_ONLY,
  }).trimEnd();
}
