import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UnlistedFactorError } from '@app/accounts';
import { SecretFileError } from '@app/auth';
import { readProgramSettings } from '@app/service';
import { commandLine } from '@app/settings';
import { program } from '../apps/api/src/api.program';
import {
  NewerDatabaseError,
  UnreleasedDatabaseError,
  PendingMigrationsError,
  SchemaDriftError,
  StoreUnavailableError,
} from '../libs/persistence/src/errors';
import { OpenRouteError } from '../libs/service/src/http/plugins';
import { ManifestMissingError } from '../libs/service/src/identity/errors';
import { CannotListenError } from '../libs/service/src/process/errors';
import { MissingStoreError } from '../libs/service/src/commands/missing-store';
import { unsupportedNode } from '../libs/service/src/process/node-version';
import { startFailure } from '../libs/service/src/program/start-failure';
import { LogFileError } from '../libs/service/src/logs/errors';
import { drills } from '../tools/drill/drills.mts';
import { knownSettings } from './deploy/known-settings';

const root = join(__dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('docs/guides/runbook.md');
const headings = new Set(
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
    text
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  ),
);

interface Alert {
  readonly name: string;
  readonly runbook: string;
  readonly drills: readonly string[];
}

/** As `deploy/observe/alerts.yml` declares them. */
const alerts: readonly Alert[] = read('deploy/observe/alerts.yml')
  .split('- alert: ')
  .slice(1)
  .map((text) => ({
    name: /^\w+/.exec(text)?.[0] ?? '',
    runbook: /runbook_url: (\S+)/.exec(text)?.[1] ?? '',
    drills:
      /drills: (.+)/
        .exec(text)?.[1]
        .split(', ')
        .filter((name) => name !== 'none') ?? [],
  }));

/** The alerts whose cause is outside the programs, or needs ten minutes. For backups, `alerts.test.yml` has the rules. */
const withoutDrill = new Set(['SluiceTargetsGone', 'SluiceNobodySignsIn']);

/** Upper-case words of the pages that are not settings. */
const notSettings = new Set([
  'CPU',
  'GET',
  'HEAD',
  'POST',
  'PATCH',
  'DELETE',
  'JSON',
  'WAL',
  'PID',
  'SIGTERM',
  'SIGHUP',
]);

describe('the advice', () => {
  it('names settings that exist', () => {
    const [, advice = ''] = page.split('## Alerts');
    const alertsText = read('deploy/observe/alerts.yml');
    const names = [...`${advice}${alertsText}`.matchAll(/`([A-Z][A-Z0-9_]{2,})(?:=[^`]*)?`/g)].map(
      ([, name]) => name,
    );
    const named = [...new Set(names)].filter((name) => !notSettings.has(name));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !knownSettings.has(name))).toEqual([]);
  });
});

describe('each alert', () => {
  it.each(alerts)('$name has a section in the runbook', ({ name, runbook }) => {
    expect(runbook).toBe(`docs/guides/runbook.md#${name.toLowerCase()}`);
    expect(headings).toContain(name.toLowerCase());
  });

  it.each(alerts)('$name names the drills that fire it', ({ name, drills: named }) => {
    const firing = drills.filter(({ fires }) => fires.includes(name)).map((drill) => drill.name);
    expect(named.toSorted()).toEqual(firing.toSorted());
    expect(named.length > 0).toBe(!withoutDrill.has(name));
    const [, section = ''] = page.split(`### ${name}\n`);
    const [own = ''] = section.split('\n### ');
    const [, command = ''] = /\*\*Reproduce\*\*: `npm run drill -- ([^`]+)`/.exec(own) ?? [];
    expect(command.split(' ').filter(Boolean).toSorted()).toEqual(named.toSorted());
  });
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
const why = hasPromtool ? '' : ' (needs promtool in the path)';

describe.runIf(hasPromtool)(`the rules${why}`, () => {
  it('fire after their time', () => {
    const names = [...read('deploy/observe/alerts.test.yml').matchAll(/alertname: (\w+)\n/g)];
    expect(new Set(names.map(([, name]) => name))).toEqual(new Set(alerts.map(({ name }) => name)));
    const { stdout, stderr, status } = spawnSync('promtool', ['test', 'rules', 'alerts.test.yml'], {
      cwd: join(root, 'deploy/observe'),
      encoding: 'utf8',
    });
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });
});

const fault = (code: string) => Object.assign(new Error('fault'), { code });

/** Environments that are invalid. */
const environments: readonly Record<string, string>[] = [
  { PORT: 'x' },
  { JWT_SECRET: 'short' },
  { JWT_SECRET: 'your-256-bit-secret-your-256-bit-secret' },
  { ADMIN_EMAIL: 'a@b.co' },
  { NODE_ENV: 'production', DATABASE_URL: 'postgres://a:b@c/d' },
];

/** Why starts fail, by what throws it. */
const failures: readonly unknown[] = [
  ...environments.map(problemOf),
  new SecretFileError(
    'data/jwt-secret',
    'can be read by other users of this machine. Remove it, so that a new one is created, or set JWT_SECRET; ' +
      'if no other user can have read it, `chmod 600` is enough.',
  ),
  new StoreUnavailableError('the server cannot be reached (ECONNREFUSED)'),
  new MissingStoreError('/var/lib/sluice/sluice.db', '/var/lib/sluice/jwt-secret'),
  new PendingMigrationsError(['api/0002-orders']),
  new NewerDatabaseError(['api/0099-new']),
  new UnreleasedDatabaseError(),
  new SchemaDriftError(['post.slug'], ['api/0003-posts']),
  new UnlistedFactorError('totp'),
  new CannotListenError({ PORT: 3000, HOST: '127.0.0.1' }, fault('EADDRINUSE')),
  new CannotListenError({ PORT: 80, HOST: '127.0.0.1' }, fault('EACCES')),
  new CannotListenError({ PORT: 80, HOST: '10.9.9.9' }, fault('EADDRNOTAVAIL')),
  new CannotListenError({ PORT: 80, HOST: 'api.invalid' }, fault('ENOTFOUND')),
  new LogFileError('/nowhere/api.log', fault('ENOENT')),
  new OpenRouteError('GET /open'),
  new ManifestMissingError('/opt'),
];

function problemOf(env: Record<string, string>): unknown {
  try {
    return readProgramSettings(program, env);
  } catch (error) {
    return error;
  }
}

describe('a start that fails', () => {
  const sources = globSync('libs/*/src/**/*.ts', { cwd: root }).map(read);

  it('has its very line in the runbook', () => {
    // Of a program in a packed folder.
    const lines = failures
      .flatMap((error) => startFailure('sluice api', error))
      .map((line) => line.replace(commandLine(['migrate']), 'node main.js migrate'));
    expect(lines).toHaveLength(failures.length);
    expect(
      [...lines, unsupportedNode('20.20.2') ?? ''].filter((line) => !page.includes(`${line}\n`)),
    ).toEqual([]);
  });

  it('has its class in the runbook', () => {
    const aborting = sources.flatMap((text) => [
      ...text.matchAll(/\/\*\*(?:(?!\*\/)[^])*Aborts the start(?:(?!\*\/)[^])*\*\/\nexport class (\w+)/g),
    ]);
    const names = aborting.map(([, name]) => name);
    expect(names.length).toBeGreaterThan(8);
    expect(names.filter((name) => !page.includes(name))).toEqual([]);
  });

  it('because of the store has a reason that the sources know', () => {
    const reasons = [...page.matchAll(/did not start: store unavailable: ([^(.;]+[^(.; ])/g)].map(
      ([, reason]) => reason,
    );
    expect(reasons.length).toBeGreaterThan(6);
    expect(reasons.filter((reason) => !sources.some((text) => text.includes(reason)))).toEqual([]);
  });

  it('or a program that ends by itself has its line in the runbook', () => {
    const fatal = sources.flatMap((text) =>
      [...text.matchAll(/\.fatal\([^']*'([^']+)'\)/g)].map(([, line]) => line),
    );
    const exits = sources.flatMap((text) =>
      [...text.matchAll(/void exit\(\w+, '([^']+)'\)/g)].map(([, line]) => line),
    );
    expect(fatal.length + exits.length).toBeGreaterThan(2);
    expect([...fatal, ...exits].filter((line) => !page.includes(`\`${line}\``))).toEqual([]);
  });
});
