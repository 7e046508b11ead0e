import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceSettings } from '@app/service';
import { bootApi } from '../../testing/boot-api';
import { section } from './section';

const root = join(__dirname, '../../../..');
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const names = (folder: string) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? entry.name : [],
  );

section(1, (states) => {
  const api = bootApi();
  const cli = read('nest-cli.json');
  const rule = (name: string) => `§1 Workspace layout rules: ${name}`;

  states('§1: The service is an HTTP application …', async () => {
    const { headers, json } = await api().get('/health');
    expect(headers.get('content-type')).toContain('application/json');
    expect(json.status).toBe('ok');
  });
  states('§1.1', async () => {
    const { status, json } = await api().post('/users', { email: 1 });
    expect([status, Array.isArray(json.message)]).toEqual([400, true]);
    const client = await api.newcomer();
    expect((await client.get('/items?limit=0')).status).toBe(400);
    expect((await client.get('/items/nought')).status).toBe(400);
  });
  states('§1.2', async () => {
    const client = await api.newcomer();
    expect((await client.get('/auth/profile')).status).toBe(200);
    expect((await api().get('/auth/profile')).status).toBe(401);
  });
  states('§1.3', async () => {
    const client = await api.newcomer();
    expect(Object.keys((await client.get('/users/me')).json)).toEqual(['id', 'email']);
  });
  states('§1.4', () => {
    expect(names('apps')).toEqual(expect.arrayContaining(['admin', 'api']));
    expect(names('libs')).toContain('service');
  });

  states(rule('Project kinds'), () => {
    const kinds = new Set(Object.values<{ type: string }>(cli.projects).map(({ type }) => type));
    expect([...kinds].toSorted()).toEqual(['application', 'library']);
  });
  states(rule('Application location'), () => {
    for (const app of names('apps')) {
      expect(existsSync(join(root, 'apps', app, 'src/main.ts'))).toBe(true);
      expect(read(`apps/${app}/tsconfig.app.json`).extends).toBe('../../tsconfig.json');
      expect(cli.projects[app]).toMatchObject({
        type: 'application',
        entryFile: 'main',
        sourceRoot: `apps/${app}/src`,
      });
    }
  });
  states(rule('Library location'), () => {
    for (const lib of names('libs')) {
      expect(existsSync(join(root, 'libs', lib, 'src/index.ts'))).toBe(true);
      expect(read(`libs/${lib}/tsconfig.lib.json`).extends).toBe('../../tsconfig.json');
    }
    const index = readFileSync(join(root, 'libs/service/src/index.ts'), 'utf8');
    expect(index).toMatch(/\bServiceModule\b/);
    expect(index).toMatch(/\bAboutService\b/);
  });
  states(rule('Library alias'), () => {
    const { paths } = read('tsconfig.json').compilerOptions;
    for (const lib of names('libs')) expect(paths[`@app/${lib}`]).toEqual([`./libs/${lib}/src/index.ts`]);
  });
  states(rule('Shared items'), () => {
    const own = [...names('apps').map((app) => `apps/${app}`), ...names('libs').map((lib) => `libs/${lib}`)];
    for (const file of ['package.json', 'package-lock.json', '.oxlintrc.json']) {
      expect(existsSync(join(root, file))).toBe(true);
      for (const folder of own) expect(existsSync(join(root, folder, file))).toBe(false);
    }
  });
  states(rule('Default project'), () => {
    expect([cli.root, cli.sourceRoot]).toEqual(['apps/api', 'apps/api/src']);
    expect(Object.keys(cli.projects)[0]).toBe('api');
  });
  states(rule('Build output'), () => {
    for (const app of names('apps')) {
      expect(read(`apps/${app}/tsconfig.app.json`).compilerOptions.outDir).toBe(`../../dist/apps/${app}`);
    }
  });
  states(rule('Bundler default'), () => {
    expect(cli.monorepo).toBe(true);
    expect(cli.compilerOptions.builder.type).toBe('webpack');
  });
  states(rule('Aggregate commands'), () => {
    const { scripts } = read('package.json');
    expect(scripts['build:all']).toMatch(/scripts\//);
    expect(scripts['start:all']).toMatch(/scripts\//);
  });
  states(rule('Port'), () => {
    expect(serviceSettings.PORT.parse(undefined)).toBe(3000);
    expect(serviceSettings.PORT.parse('8080')).toBe(8080);
  });
  states(rule('Shared-library route'), async () => {
    const { status, text, headers } = await api().get('/');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    expect(text).toContain('sluice');
  });
});
