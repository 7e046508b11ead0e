import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@app/service/testing';
import { pageModules } from '../pages/page-modules.mts';
import { endProcesses, readUrl, run, start } from './processes';
import { copyWorkspace, type WorkspaceCopy } from './workspace-copy';

/** The code that the guide adds to the program `api`. */
const additions = [
  ['import { descriptions }', "import { BooksResolver, graphql } from './books';\nimport { descriptions }"],
  ['plugins: [', "plugins: [{ name: 'books', modules: () => [graphql], providers: () => [BooksResolver] },"],
] as const;

describe('npm run pack, of a program with the resolver of docs/guides/graphql.md', () => {
  let copy: WorkspaceCopy;
  let folder: string;
  let packed: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    copy = await copyWorkspace();
    const read = (path: string) => readFile(join(copy.path, path), 'utf8');
    const page = pageModules('graphql.md', await read('docs/guides/graphql.md'));
    const sources = join(copy.path, 'apps/api/src');
    await writeFile(join(sources, 'books.ts'), page.map(({ text }) => text).join('\n'));
    const module = await read('apps/api/src/api.program.ts');
    const changed = additions.reduce((text, [before, after]) => text.replace(before, after), module);
    await writeFile(join(sources, 'api.program.ts'), changed);
    packed = await run('npm', ['run', '--silent', 'pack', 'api'], { cwd: copy.path });
    // No folder above it has packages.
    folder = mkdtempSync(join(tmpdir(), 'sluice-graphql-'));
    if (packed.code === 0) cpSync(join(copy.path, 'dist/packed/api'), folder, { recursive: true });
  });
  afterEach(endProcesses);
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await copy.remove();
  });

  it('packs it', () => {
    expect(packed).toEqual({ code: 0, output: expect.stringContaining('packed in dist/packed/api') });
  });

  it('answers callers, with guard and pipe, from the folder alone', async () => {
    const program = start(process.execPath, ['main.js'], { cwd: folder, env: { PORT: '0' } });
    const client = new Client(await program.hear(readUrl));
    expect((await client.post('/graphql', { query: '{ whoami }' })).status).toBe(401);
    const [email, password] = ['ada@example.com', 'correct horse battery staple'];
    await client.post('/users', { email, password });
    const caller = await client.signIn(email, password);
    const ask = async (query: string) => (await caller.post('/graphql', { query })).json;
    expect(await ask('{ whoami books(first: 1) { title } }')).toEqual({
      data: { whoami: email, books: [{ title: 'Emma' }] },
    });
    expect(await ask('{ books(first: 101) { title } }')).toMatchObject({
      errors: [{ extensions: { code: 'invalid-input' } }],
    });
    program.signal('SIGTERM');
    expect(await program.ended).toBe(0);
  });
});
