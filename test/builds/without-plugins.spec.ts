import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import layout from '../layout/layout.json';
import { endProcesses, run } from './processes';
import { copyWorkspace, type WorkspaceCopy } from './workspace-copy';

const programs = ['apps/api/src/api.program.ts', 'apps/admin/src/admin.program.ts'];

/** Returns a program without the call of a plugin in its list, whatever the options. */
function withoutCall(program: string, word: string): string {
  const start = program.search(new RegExp(`\\s\\b${word}\\(`));
  let end = program.indexOf('(', start) + 1;
  for (let depth = 1; depth > 0; end += 1) depth += { '(': 1, ')': -1 }[program[end] ?? ')'] ?? 0;
  return program.slice(0, start) + program.slice(end).replace(/^,/, '');
}

/** Returns the file of an application that constructs a plugin, if it is not constructed in the list of the program. */
async function writtenPlugin(workspace: string, folder: string, plugin: string) {
  const files = (await readdir(join(workspace, folder))).filter((file) => file.endsWith('.plugin.ts'));
  const texts = await Promise.all(files.map((file) => readFile(join(workspace, folder, file), 'utf8')));
  return files.find((_, index) => texts[index]?.includes(` from '@app/${plugin}';`));
}

/** Deletes a plugin's folder, and its word in each list. */
async function removePlugin(workspace: string, plugin: string): Promise<void> {
  const change = async (path: string, edit: (text: string) => string) => {
    const file = join(workspace, path);
    await writeFile(file, edit(await readFile(file, 'utf8')));
  };
  await rm(join(workspace, 'libs', plugin), { recursive: true });
  for (const path of programs) {
    const written = await writtenPlugin(workspace, dirname(path), plugin);
    if (written !== undefined) await rm(join(workspace, dirname(path), written));
    const from = written === undefined ? `@app/${plugin}` : `./${written.replace('.ts', '')}`;
    await change(path, (text) => {
      const [line = '', word = ''] =
        new RegExp(`^import \\{ (\\w+) \\} from '${from}';\n`, 'm').exec(text) ?? [];
      if (line === '') throw new Error(`${path} does not list ${plugin}`);
      const rest = text.replace(line, '');
      return written === undefined ? withoutCall(rest, word) : rest.replace(`    ${word},\n`, '');
    });
  }
  await change('tsconfig.json', (text) => {
    const config = JSON.parse(text);
    delete config.compilerOptions.paths[`@app/${plugin}`];
    return JSON.stringify(config);
  });
  await change('nest-cli.json', (text) => {
    const config = JSON.parse(text);
    delete config.projects[plugin];
    return JSON.stringify(config);
  });
  const parts = {
    extends: './tsconfig.check.json',
    compilerOptions: { incremental: false, tsBuildInfoFile: null },
    include: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
  };
  await writeFile(
    join(workspace, 'tsconfig.parts.json'),
    JSON.stringify({ ...parts, exclude: ['**/*.spec.ts'] }),
  );
}

/** The pictures of `api` are a resource that needs `uploads`. */
const optional = layout.layers.plugins.filter((plugin) => plugin !== 'uploads');

describe('a workspace without its optional plugins', () => {
  let copy: WorkspaceCopy;
  beforeAll(async () => {
    copy = await copyWorkspace();
    for (const plugin of optional) await removePlugin(copy.path, plugin);
  });
  afterAll(async () => {
    await endProcesses();
    await copy.remove();
  });
  const node = (...args: string[]) => run('node', ['scripts/run.js', ...args], { cwd: copy.path });

  it('type-checks', { timeout: 600_000 }, async () => {
    const checked = await node('node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.parts.json');
    expect(checked).toMatchObject({ code: 0 });
  });

  it('starts, and behaves as the specification says', { timeout: 600_000 }, async () => {
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'sqlite'];
    expect(await node(...vitest, 'apps/api/test/conformance')).toMatchObject({ code: 0 });
  });
});
