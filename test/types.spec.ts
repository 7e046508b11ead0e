import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const tsc = 'node_modules/typescript-native/bin/tsc';

it('has no type errors', { timeout: 240_000 }, () => {
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.check.json'], {
    cwd: join(__dirname, '..'),
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
});
