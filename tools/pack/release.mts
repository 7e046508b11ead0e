import { execFileSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { packAll } from './all.mts';
import { packageProblems } from './modules/package-problems.mts';
import { presentProblems, publishCommand, releaseCommands, tagOf } from './modules/release.mts';
import { version } from './modules/versions.mts';
import { root, runScript } from '../../scripts/workspace.mts';

/**
 * Checks a release, packs every package, checks the tarballs, and prints the commands that publish them: `npm run release`. With
 * `--dry-run` it also lists each tarball's contents, and reports release problems at the end instead of stopping early.
 */
await runScript(async () => {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
  const problems = [...(await presentProblems())];
  if (problems.length > 0 && !values['dry-run']) throw new Error(problems.join('\n'));
  const packed = await packAll(join(root, 'dist/packages'));
  for (const tarball of packed) problems.push(...(await packageProblems(tarball)));
  const tarballs = packed.map((path) => `./${relative(root, path)}`);
  process.stdout.write(`${version} is packed; its tag will be ${tagOf(version)}.\n`);
  if (values['dry-run']) for (const tarball of tarballs) tryPublish(tarball);
  process.stdout.write(
    'Publishing is the decision of a maintainer, whose job in CI runs, with a token for provenance:\n',
  );
  for (const command of releaseCommands(tarballs)) process.stdout.write(`  ${command}\n`);
  if (problems.length > 0) throw new Error(`It cannot be released now:\n${problems.join('\n')}`);
});

/** Lists the files that would be published. Provenance is left out because it needs the CI job. */
function tryPublish(tarball: string): void {
  const [program, ...publish] = publishCommand(tarball);
  const args = [...publish, '--dry-run', '--provenance=false', '--loglevel=notice'];
  process.stdout.write(`${[program, ...args].join(' ')}\n`);
  execFileSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
}
