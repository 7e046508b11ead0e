import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { root, runScript } from './workspace.mts';

/** The source checks in two parallel sequences. The types are checked in the first sequence. */
const lanes = [['types'], ['format:check', 'lint', 'build:all']];

/**
 * Runs every check that a change must pass: `npm run check`. The output of a step is printed when the step ends, and test output
 * while the tests run.
 */
await runScript(async () => {
  const failed = (await Promise.all(lanes.map(runInSequence))).flat();
  if (failed.length > 0) throw new Error(`failed: ${failed.map((script) => `npm run ${script}`).join(', ')}`);
  process.exitCode = spawnSync('npm', ['test'], { cwd: root, stdio: 'inherit' }).status ?? 1;
});

/** Runs manifest scripts and returns the scripts that failed. */
async function runInSequence(scripts: readonly string[]): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const script of scripts) if (!(await passes(script))) failed.push(script);
  return failed;
}

async function passes(script: string): Promise<boolean> {
  const startedAt = performance.now();
  const child = spawn('npm', ['run', '--silent', script], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(
    `${script}: ${child.exitCode === 0 ? 'passed' : 'failed'}, ${seconds} s\n${output}${errors}`.trim(),
  );
  return child.exitCode === 0;
}
