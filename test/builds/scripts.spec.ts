import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDatabase } from '@app/persistence/testing';
import { endProcesses, readUrl, run, type Running, start } from './processes';
import { copyWorkspace, type WorkspaceCopy } from './workspace-copy';

let copy: WorkspaceCopy;
let database: Awaited<ReturnType<typeof temporaryDatabase>>;
beforeAll(async () => {
  [copy, database] = await Promise.all([copyWorkspace(), temporaryDatabase()]);
});
afterEach(endProcesses);
afterAll(() => Promise.all([copy.remove(), database.remove()]));

/** Runs an npm script; built by swc, which is fastest. */
function npm(script: string, args: readonly string[] = [], env: Record<string, string> = {}): Running {
  return start('npm', ['run', '--silent', script, '--', ...args, '-b', 'swc'], {
    cwd: copy.path,
    env: { PORT: '0', DATABASE_URL: database.url, ...env },
  });
}

describe('npm start', () => {
  it('runs the first application, and passes SIGTERM and the exit code on', async () => {
    const program = npm('start');
    const url = await program.hear(readUrl);
    expect(await textOf(url)).toContain('(api)');
    program.signal('SIGTERM');
    expect(await program.ended).toBe(0);
    await expect(textOf(url)).rejects.toThrow('fetch failed');
  });

  it('runs the named application, and shuts down gracefully on Ctrl-C', async () => {
    const program = npm('start', ['admin']);
    const url = await program.hear(readUrl);
    expect(await textOf(url)).toContain('(admin)');
    program.signal('SIGINT', 'its group');
    expect(await program.ended).toBe(0);
    await expect(textOf(url)).rejects.toThrow('fetch failed');
  });

  it('fails when the program fails', async () => {
    const program = npm('start', [], { PORT: 'many' });
    expect(await program.ended).toBe(1);
    expect(program.lines.join('\n')).toContain('sluice api did not start: PORT');
  });
});

describe('npm run start:dev', () => {
  it('builds by webpack, prints nothing of the bundler, runs saved changes, and prints type errors', async () => {
    const program = start('npm', ['run', '--silent', 'start:dev'], {
      cwd: copy.path,
      env: { PORT: '0', DATABASE_URL: database.url },
    });
    const url = await program.hear(readUrl);
    expect(program.lines.join('\n')).not.toMatch(/deprecated|error/i);

    const path = join(copy.path, 'libs/service/src/identity/about.service.ts');
    const text = await readFile(path, 'utf8');
    const wrong = "const count: number = 'three';\nexport { count };\n";
    await writeFile(path, `${text.replace('return `', 'return `saved ')}${wrong}`);
    const next = await program.hear((line) => [readUrl(line)].find((candidate) => candidate !== url));
    expect(await textOf(next)).toMatch(/^saved sluice/);
    await program.hear((line) => (line.includes('TS2322') ? line : undefined));
    await writeFile(path, text);
  });
});

describe('npm run start:all', () => {
  it('runs every application, prefixes their lines, and shuts all down with one SIGTERM', async () => {
    const programs = npm('start:all');
    const urls = await Promise.all(['api', 'admin'].map((name) => programs.hear(urlOf(name))));
    expect(await Promise.all(urls.map(textOf))).toEqual([
      expect.stringContaining('(api)'),
      expect.stringContaining('(admin)'),
    ]);
    programs.signal('SIGTERM');
    expect(await programs.ended).toBe(0);
    await expect(Promise.any(urls.map(textOf))).rejects.toThrow(AggregateError);
  });

  it('shuts all down gracefully on Ctrl-C', async () => {
    const programs = npm('start:all');
    await Promise.all(['api', 'admin'].map((name) => programs.hear(urlOf(name))));
    programs.signal('SIGINT', 'its group');
    expect(await programs.ended).toBe(0);
  });

  it('shuts the others down with the exit code of the one that failed', async () => {
    const programs = npm('start:all');
    const [url, pid] = await Promise.all([programs.hear(urlOf('api')), programs.hear(pidOf('admin'))]);
    process.kill(pid, 'SIGKILL');
    expect(await programs.ended).toBe(137);
    await expect(textOf(url)).rejects.toThrow('fetch failed');
  });

  it('rejects an invalid port before it builds anything', async () => {
    const programs = npm('start:all', [], { ADMIN_PORT: '70000' });
    expect(await programs.ended).toBe(1);
    expect(programs.lines).toEqual(['ADMIN_PORT must be a whole number from 0 to 65535; it is "70000"']);
  });
});

describe('npm', () => {
  it('runs scripts on the Node that the manifest pins', async () => {
    const path = join(copy.path, 'package.json');
    const manifest = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(
      path,
      JSON.stringify({ ...manifest, scripts: { version: 'node scripts/run.js -p process.version' } }),
    );
    const { output } = await run('npm', ['run', '--silent', 'version'], { cwd: copy.path });
    const pinned = Object.values(manifest.optionalDependencies).map((version) => `v${String(version)}`);
    expect(pinned).toContain(output);
    await writeFile(path, JSON.stringify(manifest));
  });
});

function urlOf(name: string): (line: string) => string | undefined {
  return (line) => (line.startsWith(`${name.padEnd(5)} | {`) ? readUrl(line) : undefined);
}

function pidOf(name: string): (line: string) => number | undefined {
  return (line) => {
    const [, pid] = (urlOf(name)(line) && /"pid":(\d+)/.exec(line)) ?? [];
    return pid === undefined ? undefined : Number(pid);
  };
}

async function textOf(url: string): Promise<string> {
  return (await fetch(url)).text();
}

describe('npm run contract:check', () => {
  it('finds x.ts where an import says ./x.js', async () => {
    const path = join(copy.path, 'apps/api/src/api.program.ts');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replaceAll(/from '(\.[^']+)'/g, "from '$1.js'"));
    const { code, output } = await run('npm', ['run', '--silent', 'contract:check'], { cwd: copy.path });
    await writeFile(path, text);
    expect([code, output]).toEqual([0, expect.stringContaining('api: the contract has no faults')]);
  });

  it('reports every fault with its position, of every application, without a start', async () => {
    const check = () => run('npm', ['run', '--silent', 'contract:check'], { cwd: copy.path });
    expect(await check()).toEqual({
      code: 0,
      output: 'api: the contract has no faults\nadmin: the contract has no faults',
    });

    const path = 'apps/api/src/orders/orders.dto.ts';
    const sound = await readFile(join(copy.path, path), 'utf8');
    await writeFile(join(copy.path, path), sound.replace('  @ValidateNested({ each: true })\n', ''));
    const line = sound.split('\n').findIndex((text) => text.includes('items!: OrderItem[]'));
    const { code, output } = await check();
    await writeFile(join(copy.path, path), sound);
    expect(code).toBe(1);
    expect(output).toContain('1 fault in the contract of api');
    expect(output).toContain(`SLUICE-C106  ${path}:${line}\n`);
    expect(output).toContain('admin: the contract has no faults');
  });
});
