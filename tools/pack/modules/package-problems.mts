import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** A `package.json`, as far as it is read. */
interface Manifest {
  readonly type?: 'module' | 'commonjs';
  readonly exports?: object;
}

/**
 * Returns the problems that users would have with a package, according to publint and Are the types wrong.
 *
 * @param tarball the tarball path
 * @returns a sentence for each problem
 */
export async function packageProblems(tarball: string): Promise<readonly string[]> {
  const bytes = Uint8Array.from(await readFile(tarball));
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
  const problems = messages.flatMap((message) => formatMessage(message, pkg, { color: false }) ?? []);
  // The tests of a created workspace are files of its template.
  const own = problems.filter((problem) => !problem.includes('/template/test/'));
  return [...own, ...(await typeProblems(bytes, pkg))].map((problem) => `${basename(tarball)}: ${problem}`);
}

/** A package of commands has no types. */
async function typeProblems(bytes: Uint8Array, manifest: Manifest): Promise<readonly string[]> {
  if (manifest.exports === undefined) return [];
  const result = await checkPackage(createPackageFromTarballData(bytes));
  if (result.types === false) return ['It has no types.'];
  const problems = result.problems.filter((fault) => manifest.type !== 'module' || !isOfOtherFormats(fault));
  return problems.map((problem) => JSON.stringify(problem));
}

/** Whether a problem is irrelevant to ES modules. TypeScript's oldest resolution ignores `exports`; CommonJS uses `require`. */
function isOfOtherFormats(problem: Problem): boolean {
  return 'resolutionKind' in problem && ['node10', 'node16-cjs'].includes(problem.resolutionKind);
}
