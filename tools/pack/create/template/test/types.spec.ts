import { spawnSync } from 'node:child_process';

it('has no type errors', { timeout: 240_000 }, () => {
  const args = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.check.json'];
  expect(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout).toBe('');
});
