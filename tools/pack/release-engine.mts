import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { version } from './engine/manifest.mts';
import { prepareRelease, releaseCommands, tagOf } from './engine/release.mts';
import { root, runScript } from '../../scripts/workspace.mts';

/** Checks a release of the engine, packs it, and prints the commands that publish it; `--dry-run` tries the first. */
await runScript(async () => {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
  const tarball = relative(root, await prepareRelease());
  process.stdout.write(`${tarball} is packed; its tag will be ${tagOf(version)}.\n`);
  if (values['dry-run']) tryPublish(tarball);
  process.stdout.write(
    'Publishing is the decision of a maintainer, whose job in CI runs, with a token for provenance:\n',
  );
  for (const command of releaseCommands(tarball, false)) process.stdout.write(`  ${command}\n`);
});

/** Lists what would be published. Provenance needs the job in CI, and is left out. */
function tryPublish(tarball: string): void {
  const [command = ''] = releaseCommands(`./${tarball}`, true);
  const [program, ...args] = [...command.split(' '), '--provenance=false'];
  process.stdout.write(`${[program, ...args].join(' ')}\n`);
  execFileSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
}
