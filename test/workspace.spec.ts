import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import cli from '../nest-cli.json';
import { appFiles } from '../tools/create/project/project.mts';
import { helpOf } from '../scripts/help-of.mts';
import { readNames } from '../tools/create/names.mts';
import { portsOf } from '../scripts/ports.mts';
import { listApplications } from '../scripts/workspace.mts';
import tsconfig from '../tsconfig.json';

const root = join(__dirname, '..');
const applications = readdirSync(join(root, 'apps'));
const libraries = readdirSync(join(root, 'libs'));

describe('the workspace', () => {
  it('declares a project for each folder, and no other', () => {
    const folders = [
      ...applications.map((name) => `apps/${name}`),
      ...libraries.map((name) => `libs/${name}`),
    ];
    expect(
      Object.values(cli.projects)
        .map((project) => project.root)
        .toSorted(),
    ).toEqual(folders.toSorted());
  });

  it.each(Object.entries(cli.projects))('has the paths of %s right', (name, project) => {
    const isApplication = project.type === 'application';
    expect(project.root).toBe(`${isApplication ? 'apps' : 'libs'}/${name}`);
    expect(project.sourceRoot).toBe(`${project.root}/src`);
    expect(existsSync(join(root, project.sourceRoot, `${project.entryFile}.ts`))).toBe(true);
    const { extends: base, compilerOptions } = read(project.compilerOptions.tsConfigPath);
    expect(base).toBe('../../tsconfig.json');
    expect(compilerOptions.outDir).toBe(`../../dist/${project.root}`);
  });

  it('has the first application as its default', () => {
    expect(cli.root).toBe('apps/api');
    expect(listApplications()[0]).toBe('api');
    expect(listApplications().toSorted()).toEqual(applications.toSorted());
  });

  it.each(applications)('has one entry file of %s for all builders', (name) => {
    const { 'main.js': entry } = appFiles(readNames(name, []), false);
    expect(readFileSync(join(root, `apps/${name}/main.js`), 'utf8')).toBe(entry);
  });

  it.each(applications)('has one check of types for all builds of %s: npm run types', (name) => {
    const { compilerOptions } = read(`apps/${name}/tsconfig.app.json`);
    expect(compilerOptions.noCheck).toBe(true);
  });

  it('has one alias per library, which is its index file', () => {
    const aliases = libraries.map((name) => [`@app/${name}`, [`./libs/${name}/src/index.ts`]]);
    expect(tsconfig.compilerOptions.paths).toEqual({
      ...Object.fromEntries(aliases),
      '@app/*/testing': ['./libs/*/testing/index.ts'],
    });
  });

  it('has a tsconfig for every file, for lint and editors', () => {
    expect(tsconfig.references).toEqual([{ path: './tsconfig.check.json' }]);
  });

  it('finds x.ts where an import says ./x.js, in tests as in what the builders build', async () => {
    const { resolveImport } = await import('./layout/resolve-import.js');
    expect(resolveImport('libs/auth/src/a.ts', './b.js')).toBe('libs/auth/src/b');
  });

  it('has the temporary files of a test run in a folder of the run', () => {
    expect(tmpdir()).toMatch(/^(?!.*sluice-tests-.*sluice-tests-).*sluice-tests-\w+$/);
  });

  it('pins every package exactly', () => {
    const { dependencies, devDependencies, optionalDependencies } = read('package.json');
    const versions = Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies });
    const isExact = (version: unknown) => /^(npm:[@\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version));
    expect(versions.filter((version) => !isExact(version))).toEqual([]);
  });
});

describe('a script', () => {
  const main = join(root, 'scripts/run.js');

  it('is run by scripts/run.js, and so is every other command', () => {
    const commands = Object.values<string>(read('package.json').scripts);
    expect(commands.filter((command) => !command.includes('node scripts/run.js '))).toEqual([]);
  });

  /** Runs a script as if this machine were another. */
  function runOn(machine: {
    version: string;
    platform?: string;
    glibc?: string;
  }): [number | null, string, string] {
    const { version, platform = process.platform, glibc } = machine;
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' });
      Object.defineProperty(process, 'platform', { value: '${platform}' });
      process.report.getReport = () => ({ header: { glibcVersionRuntime: ${JSON.stringify(glibc)} } });
      process.argv.splice(1, 0, 'run.js'); require(${JSON.stringify(main)});`;
    const args = ['-e', pretend, '--', '-p', 'process.versions.node'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root });
    return [status, String(stdout).trim(), String(stderr)];
  }

  it.each([
    [{ version: '20.20.2', platform: 'freebsd' }, 'freebsd-x64'],
    [{ version: '24.15.0', platform: 'linux' }, 'linux-x64 with musl'],
  ])('says in one line what it requires, on %o', (machine, system) => {
    expect(runOn(machine)).toEqual([
      1,
      '',
      `process.versions.node needs Node 24.16 or newer; this is ${machine.version}, and the dependencies have none for ` +
        `${system.replace('x64', process.arch)}. Install it, or run npm ci without --omit=optional on Linux with glibc, ` +
        'macOS or Windows.\n',
    ]);
  });

  it('runs on the Node of the dependencies, however old the one that npm has', () => {
    const { optionalDependencies } = read('package.json');
    const [status, version] = runOn({ version: '20.20.2', glibc: '2.36' });
    expect([status, Object.values(optionalDependencies)]).toEqual([0, expect.arrayContaining([version])]);
  });

  it('asks for npm ci, before the dependencies are installed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-clone-'));
    for (const path of ['package.json', 'node-binaries.json', 'scripts/run.js'])
      cpSync(join(root, path), join(folder, path));
    const { status, stderr } = spawnSync('npm', ['start'], { cwd: folder });
    expect([status, String(stderr).split('\n')[0]]).toEqual([
      1,
      'Run `npm ci` first: the dependencies are not installed.',
    ]);
    rmSync(folder, { recursive: true });
  });

  it('reads a settings file if there is one, and the environment before it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-settings-'));
    const args = [main, '--env', '-p', '[process.env.PORT, process.env.HOST].join()'];
    const print = () => spawnSync(process.execPath, args, { cwd: folder, env: { HOST: '::1' } });
    expect([String(print().stdout), String(print().stderr)]).toEqual([',::1\n', '']);
    writeFileSync(join(folder, '.env'), 'PORT=7\nHOST=127.0.0.1\n');
    expect([String(print().stdout), String(print().stderr)]).toEqual(['7,::1\n', '']);
    rmSync(folder, { recursive: true });
  });

  it('of a program reads the settings file, and no other script', () => {
    const commands = Object.entries<string>(read('package.json').scripts);
    const readers = commands.filter(([, command]) => command.includes('--env'));
    const programs = /nest\.js start|start-all|main\.js|command\.mts|seed\.mts/;
    expect(readers).toEqual(commands.filter(([, command]) => programs.test(command)));
  });

  it('runs on the Node that started it, where the dependencies have none and it is new enough', () => {
    expect(runOn({ version: '24.16.0', platform: 'linux' }).slice(0, 2)).toEqual([0, process.versions.node]);
  });

  const commands: [string, string][] = Object.entries(read('package.json').scripts);
  const groups: [string, Record<string, string>][] = Object.entries(read('package.json').scriptGroups);
  const members = groups.flatMap(([group, scripts]) =>
    Object.entries(scripts).map(([name, command]) => [`${group} ${name}`, command] as const),
  );
  const scripts = [...commands, ...members].flatMap(([name, command]) => {
    const [, file] = /(?:^|scripts\/run\.js )(?:-\S+ )*(\S+\.m?ts)(?: |$)/.exec(command) ?? [];
    return file === undefined ? [] : [[name, file] as const];
  });

  it('is one of at most 36, or of a group, which names what it has', () => {
    expect(commands.length).toBeLessThanOrEqual(36);
    expect(
      groups.map(([group]) => group).filter((group) => !commands.some(([name]) => name === group)),
    ).toEqual([]);
    const { status, stderr } = spawnSync(process.execPath, [main, 'fuzz', 'nothing'], { cwd: root });
    const names = 'validation, declarations, upgrades, settings, serialization';
    expect([status, String(stderr)]).toEqual([1, `name one of ${names}: npm run fuzz -- NAME\n`]);
  });

  it('of a group gets what follows its name', () => {
    const { status, stdout } = spawnSync(process.execPath, [main, 'bench', 'path', '--help'], { cwd: root });
    expect([status, String(stdout)]).toEqual([0, expect.stringContaining('`npm run bench -- path`')]);
  });

  it.each(scripts)('%s says what it does, for --help', (name, file) => {
    const help = helpOf(readFileSync(join(root, file), 'utf8'));
    expect(help).toMatch(/^[`A-Z][\s\S]{30,}/);
    for (const option of name.startsWith('bench') ? ['--quick', '--json'] : [])
      expect(help).toContain(option);
  });

  it('prints it and does nothing else', () => {
    const { status, stdout } = spawnSync(process.execPath, [main, 'scripts/seed.mts', '--help'], {
      cwd: root,
    });
    expect([status, String(stdout)]).toEqual([
      0,
      'Fills an empty database with a small sample, for development: `npm run seed`.\n',
    ]);
  });
});

describe('the name of a new project', () => {
  it('has the spellings of files, values and classes', () => {
    expect(readNames('back-office', [])).toEqual({
      kebab: 'back-office',
      camel: 'backOffice',
      pascal: 'BackOffice',
    });
  });

  it.each([undefined, '', 'Billing', 'back_office', '-a', 'a-', '../a', '9lives', 'a b', 'a-1'])(
    'is not %j',
    (name) => expect(() => readNames(name, [])).toThrow('lowercase words, joined by dashes'),
  );

  it('must not be taken', () => {
    expect(() => readNames('api', ['api'])).toThrow('api is taken');
  });
});

describe('programs that run together', () => {
  const names = ['api', 'admin', 'back-office'];
  const ports = (env: Record<string, string>) => [...portsOf(names, env).values()];

  it('count up from PORT', () => {
    expect(ports({})).toEqual(['3000', '3001', '3002']);
    expect(ports({ PORT: '8080' })).toEqual(['8080', '8081', '8082']);
  });

  it('use their own port setting', () => {
    expect(ports({ ADMIN_PORT: '9000', BACK_OFFICE_PORT: '9001' })).toEqual(['3000', '9000', '9001']);
  });

  it('use any free ports when PORT is 0', () => {
    expect(ports({ PORT: '0' })).toEqual(['0', '0', '0']);
  });

  it.each(['', 'many', '1e3', '-1', '65535'])('reject PORT=%s', (PORT) => {
    expect(() => ports({ PORT })).toThrow(/PORT must be a whole number from 0 to 65535/);
  });
});

function read(path: string): any {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}
