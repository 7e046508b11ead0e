import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const unit = join(__dirname, '../deploy/systemd/sluice-api.service');
const [, unitSection = '', serviceSection = ''] = readFileSync(unit, 'utf8').split(/^\[\w+\]$/m);
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

describe('the systemd unit', () => {
  it('starts a program again for as long as its database is not there', () => {
    // By default systemd gives up after five starts in ten seconds, which a program with RestartSec=1s needs.
    expect(unitSection).toMatch(/^StartLimitIntervalSec=0$/m);
    expect(serviceSection).toMatch(/^Restart=on-failure$/m);
  });
});

describe.runIf(hasSystemd)(`the systemd unit${hasSystemd ? '' : ' (needs systemd-analyze)'}`, () => {
  it('is one that systemd reads', () => {
    const { stdout, stderr, status } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    expect({ status, output: stdout + stderr }).toEqual({ status: 0, output: '' });
  });
});
