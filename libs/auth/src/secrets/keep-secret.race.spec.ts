import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { keepSecret } from './keep-secret';

const PROGRAMS = 4;
const FILES = 40;

/** Asks for one secret after another; all programs do so at once, so that they meet on many of the files. */
const PROGRAM = `
  import { keepSecret } from './keep-secret.js';
  const [, , folder, files] = process.argv;
  const secrets = Array.from({ length: Number(files) }, (_, index) => keepSecret(folder + '/secret-' + index));
  process.stdout.write(JSON.stringify(secrets));
`;

describe('programs that start together on one file', () => {
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
        ssr: join(__dirname, 'keep-secret.ts'),
        outDir: bundle,
        emptyOutDir: false,
        rolldownOptions: { output: { entryFileNames: 'keep-secret.js' } },
      },
    });
  });
  afterAll(() => [bundle, folder].forEach((made) => rmSync(made, { recursive: true })));

  it('get one secret', async () => {
    const started = Array.from({ length: PROGRAMS }, () =>
      promisify(execFile)(process.execPath, [join(bundle, 'program.js'), folder, String(FILES)]),
    );
    const answers = (await Promise.all(started)).map(({ stdout }) => stdout);
    const kept = Array.from({ length: FILES }, (_, index) => keepSecret(join(folder, `secret-${index}`)));
    expect(new Set(answers)).toEqual(new Set([JSON.stringify(kept)]));
    expect(readdirSync(folder)).toHaveLength(FILES);
  });
});
