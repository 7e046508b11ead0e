import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreFaultError, StoreUnavailableError } from '@app/persistence';
import { commandLine } from '@app/settings';
import { banner, type Listening, listeningFields } from '../process/banner';
import { ManifestMissingError } from '../identity/errors';
import { CannotListenError } from '../process/errors';
import { readManifest } from '../identity/manifest';
import { oldestNode, unsupportedNode } from '../process/node-version';
import { startFailure } from './start-failure';
import { urlsOf } from '../process/urls';

describe('the version of Node', () => {
  it.each(['24.16.0', '24.20.1', '25.0.0', '26.10.0'])('may be %s', (version) => {
    expect(unsupportedNode(version)).toBeUndefined();
  });

  it.each(['20.20.2', '22.23.3', '24.15.9'])('is rejected in one line when it is %s', (version) => {
    expect(unsupportedNode(version)).toBe(
      `Sluice needs Node 24.16 or newer; this is ${version}. ` +
        'Install Node 24.16 or newer. In a workspace, npm start runs the Node of its dependencies.',
    );
  });

  it('matches engines in the manifest', () => {
    const manifest = readFileSync(join(__dirname, '../../../../package.json'), 'utf8');
    const { engines }: { engines: { node: string } } = JSON.parse(manifest);
    expect(engines.node).toBe(`>=${oldestNode}`);
  });
});

describe('the manifest', () => {
  it('is the root one, found from the sources', () => {
    expect(readManifest()).toEqual({ name: 'sluice', version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  });

  it('is found above a built program', () => {
    const root = mkdtempSync(join(tmpdir(), 'sluice-'));
    writeFileSync(join(root, 'package.json'), '{"name":"sluice","version":"9.9.9","private":true}');
    expect(readManifest(join(root, 'dist/apps/api/apps/api/src'))).toEqual({
      name: 'sluice',
      version: '9.9.9',
    });
  });

  it('is found above the packages, for a program that runs on one of them', () => {
    const root = mkdtempSync(join(tmpdir(), 'sluice-'));
    writeFileSync(join(root, 'package.json'), '{"name":"shop","version":"1.2.3","private":true}');
    expect(readManifest(join(root, 'node_modules/@sluice/service/libs/service/src'))).toEqual({
      name: 'shop',
      version: '1.2.3',
    });
  });

  it('is reported when it is missing', () => {
    expect(() => readManifest('/')).toThrow(ManifestMissingError);
  });
});

describe('a start that fails', () => {
  it('names the port in use, EADDRINUSE and PORT in one line', () => {
    const error = new CannotListenError({ PORT: 3000, HOST: '127.0.0.1' }, fault('EADDRINUSE'));
    expect(startFailure('sluice api', error)).toEqual([
      'sluice api did not start: port 3000 of 127.0.0.1 is in use (EADDRINUSE). ' +
        'Stop the program that uses it, or set PORT to a free one, such as PORT=3001.',
    ]);
  });

  it.each(['EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EMFILE'])('says what to do about %s', (code) => {
    const [line, ...more] = startFailure(
      'sluice api',
      new CannotListenError({ PORT: 80, HOST: 'h' }, fault(code)),
    );
    expect(line).toContain(code);
    expect(more).toEqual([]);
  });

  it('has its reason on one line, without the password of a URL', () => {
    const error = new Error('cannot reach postgres://me:hunter2@host/db\n  at once');
    expect(startFailure('sluice api', error)).toEqual([
      'sluice api did not start: cannot reach postgres://me:[hidden]@host/db at once',
    ]);
  });

  it('names the setting of a store that is unavailable', () => {
    const [line] = startFailure('sluice api', new StoreUnavailableError('the server cannot be reached'));
    expect(line).toMatch(/the server cannot be reached. Check the database that DATABASE_URL names.$/);
  });

  it('says what to do about a damaged file, and not to start the store', () => {
    const error = new StoreFaultError('the database file is damaged: restore a backup');
    expect(startFailure('sluice api', error)).toEqual([
      'sluice api did not start: store unavailable: the database file is damaged: restore a backup',
    ]);
  });

  it('has a reason even if the error has no message', () => {
    expect(startFailure('sluice api', new AggregateError([]))).toEqual([
      'sluice api did not start: AggregateError',
    ]);
    expect(startFailure('sluice api', undefined)[0]).toContain('non-Error thrown');
  });
});

describe('the banner', () => {
  const listening: Listening = {
    about: 'sluice 0.1.0 (api)',
    urls: ['http://127.0.0.1:3000'],
    database: '/srv/data/sluice.db',
    administrator: {
      email: 'admin@sluice.local',
      password: "it's",
      file: '/srv/data/first-administrator.txt',
    },
    routeCount: 20,
    publicRoutes: ['GET /', 'GET /docs', 'GET /docs/page.css', 'GET /docs/page.js', 'POST /auth/login'],
  };

  it('shows name, URL, database, administrator, public routes and the first commands', () => {
    expect(banner(listening)).toMatchInlineSnapshot(`
      "
                sluice 0.1.0 (api)
        at      http://127.0.0.1:3000
        data    /srv/data/sluice.db
        admin   admin@sluice.local  it's  shown once, and in /srv/data/first-administrator.txt until it is changed
        docs    http://127.0.0.1:3000/docs
        public  5 of 20 routes: GET /, GET /docs (and its 2 files), POST /auth/login
        try     TOKEN=$(curl -s http://127.0.0.1:3000/auth/login -H 'Content-Type: application/json' -d '{"username":"admin@sluice.local","password":"it'\\''s"}' | cut -d'"' -f4)
                curl -s http://127.0.0.1:3000/auth/password-changes -H 'Content-Type: application/json' -d '{"password":"a password of yours"}' -H "Authorization: Bearer $TOKEN"
                curl http://127.0.0.1:3000/auth/profile -H "Authorization: Bearer $TOKEN"

      "
    `);
  });

  it('has ten lines at most, whatever the program has', () => {
    const lines = banner({ ...listening, workers: 4, metrics: 'http://127.0.0.1:9100/metrics' })
      .trim()
      .split('\n');
    expect(lines).toHaveLength(10);
    expect(lines[0]).toContain('(api), 4 workers');
  });

  it('suggests GET / for a program without sign-in', () => {
    expect(banner({ ...listening, publicRoutes: ['GET /'] })).toContain('curl http://127.0.0.1:3000/\n');
  });

  it('says that the configured administrator is none', () => {
    const ignored = { ...listening, administrator: undefined, ignoredAdministrator: 'root@example.com' };
    expect(banner(ignored)).toContain(
      `  admin   root@example.com is no administrator; ${commandLine(['admin:reset'])} makes it one\n`,
    );
    expect(listeningFields(ignored)).toMatchObject({ ignoredAdministrator: 'root@example.com' });
  });

  it('keeps the password of the first administrator out of the log', () => {
    const fields = listeningFields(listening);
    expect(JSON.stringify(fields)).not.toContain("it's");
    expect(fields).toMatchObject({
      url: 'http://127.0.0.1:3000',
      database: '/srv/data/sluice.db',
      administrator: { email: 'admin@sluice.local', file: '/srv/data/first-administrator.txt' },
      publicRoutes: ['GET /', 'GET /docs', 'GET /docs/page.css', 'GET /docs/page.js', 'POST /auth/login'],
    });
  });
});

describe('the URLs of a program', () => {
  it('have its address and port', () => {
    expect(urlsOf('127.0.0.1', 3000)).toEqual(['http://127.0.0.1:3000']);
    expect(urlsOf('::1', 3000)).toEqual(['http://[::1]:3000']);
    expect(urlsOf('::1', 3000, '/api')).toEqual(['http://[::1]:3000/api']);
  });

  it('begin with localhost when it listens on all interfaces', () => {
    expect(urlsOf('0.0.0.0', 3000)[0]).toBe('http://localhost:3000');
  });
});

function fault(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`listen ${code}: no`), { code, syscall: 'listen' });
}
