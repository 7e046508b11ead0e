import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packEngine } from '../../tools/pack/engine/pack.mts';
import { endProcesses, run } from '../builds/processes';
import { cache, install, installed } from './installed';
import { writeSources } from './stock-program';
import { type Sources, sourcesIn } from './stock-sources';

/** The first and the last version of each line of @nestjs/swagger, with a version of Nest that it is made for. */
const versions = [
  { swagger: '7.0.12', nest: '10.4.22' },
  { swagger: '7.4.2', nest: '10.4.22' },
  { swagger: '8.1.1', nest: '10.4.22' },
  { swagger: '11.0.7', nest: '11.2.10' },
  { swagger: '11.4.7', nest: '11.2.10' },
  { swagger: '12.0.2', nest: '12.5.1' },
] as const;

/** A document, as far as it is compared. */
interface Described {
  readonly paths: unknown;
  readonly components: { readonly schemas: unknown };
}

const described = join(__dirname, 'described');

describe('a document of @nestjs/swagger, corrected by the packed engine', () => {
  let tarball = '';
  let expected: unknown;
  beforeAll(async () => {
    tarball = await packEngine(join(cache, 'packed-for-documents/engine'));
    expected = JSON.parse(await readFile(join(described, 'corrected.json'), 'utf8'));
  });
  afterAll(endProcesses);

  it.each(versions)('has the rules of its classes: $swagger with Nest $nest', async ({ swagger, nest }) => {
    const folder = await installed([
      ...['common', 'core', 'platform-express'].map((name) => `@nestjs/${name}@${nest}`),
      `@nestjs/swagger@${swagger}`,
      'class-validator@0.15.1',
      'class-transformer@0.5.1',
      'reflect-metadata@0.2.2',
      'rxjs@7.8.2',
    ]);
    await install(folder, [tarball]);
    for (const format of ['cjs', 'esm'] as const) {
      const program = join(folder, format);
      await writeSources(program, format, await sources());
      const { output } = await run(process.execPath, ['main.js'], { cwd: program });
      const { before, after }: Record<'before' | 'after', Described> = JSON.parse(output);
      expect(partsOf(after)).toEqual(expected);
      expect(partsOf(before)).not.toEqual(expected);
    }
  });
});

/** The program imports the sources, for the types of the workspace; as written it imports the package. */
async function sources(): Promise<Sources> {
  const { 'main.ts': main, ...others } = await sourcesIn(described, 'program');
  return { ...others, 'main.ts': main?.replace(/from '.+'; \/\/ ('.+')/, 'from $1;') ?? '' };
}

function partsOf({ paths, components: { schemas } }: Described) {
  return { paths, schemas };
}
