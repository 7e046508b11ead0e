import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { loadOrCreateSecret } from './secret-file';

const PROGRAMS = 4;
const FILES = 40;

/** Loads one secret after another; all processes at once, so that they race on many of the files. */
const PROGRAM = `
  import { loadOrCreateSecret } from './secret-file.js';
  const [, , folder, files] = process.argv;
  const secrets = Array.from({ length: Number(files) }, (_, index) => loadOrCreateSecret(folder + '/secret-' + index));
  process.stdout.write(JSON.stringify(secrets));
`;

describe('processes that start concurrently with one secret file', () => {
  let bundle: string;
  let folder: string;

  beforeAll(async () => {
    bundle = mkdtempSync(join(tmpdir(), 'sluice-program-'));
    folder = mkdtempSync(join(tmpdir(), 'sluice-secret-'));
    writeFileSync(join(bundle, 'package.json'), '{"type":"module"}');
    writeFileSync(join(bundle, 'program.js'), PROGRAM);
    await build({
      configFile: false,
      logLevel: 'silent',
      build: {
        ssr: join(__dirname, 'secret-file.ts'),
        outDir: bundle,
        emptyOutDir: false,
        rolldownOptions: { output: { entryFileNames: 'secret-file.js' } },
      },
    });
  });
  afterAll(() => [bundle, folder].forEach((path) => rmSync(path, { recursive: true })));

  it('get one secret', async () => {
    const started = Array.from({ length: PROGRAMS }, () =>
      promisify(execFile)(process.execPath, [join(bundle, 'program.js'), folder, String(FILES)]),
    );
    const answers = (await Promise.all(started)).map(({ stdout }) => stdout);
    const kept = Array.from({ length: FILES }, (_, index) =>
      loadOrCreateSecret(join(folder, `secret-${index}`)),
    );
    expect(new Set(answers)).toEqual(new Set([JSON.stringify(kept)]));
    expect(readdirSync(folder)).toHaveLength(FILES);
  });
});
