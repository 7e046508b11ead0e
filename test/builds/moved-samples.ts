import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const guide = join(__dirname, '../../docs/guides/from-nest.md');

/** The sources and requests in the guide about Nest samples. */
export interface MovedSamples {
  /** The sources by path, relative to the application folder. */
  readonly files: ReadonlyMap<string, string>;
  /** The shell commands and their output. */
  readonly requests: string;
  readonly responses: string;
}

/** Reads the sources and the requests of the guide. */
export async function readMovedSamples(): Promise<MovedSamples> {
  const text = await readFile(guide, 'utf8');
  const sources = text.matchAll(/^`(src\/[^`]+)`:\n\n```ts\n([^]*?)^```$/gm);
  const files = new Map([...sources].map(([, path = '', source = '']) => [path, source]));
  const [, requests = '', responses = ''] = /^```sh\n([^]*?)```\n\n```json\n([^]*?)\n```$/m.exec(text) ?? [];
  return { files, requests, responses };
}

/** Writes the sources into a new application and adds them to its module, as the guide says. */
export async function moveSamples(application: string): Promise<void> {
  const { files } = await readMovedSamples();
  for (const [path, text] of files) {
    await mkdir(dirname(join(application, path)), { recursive: true });
    await writeFile(join(application, path), text);
  }
  const path = join(application, `src/${basename(application)}.program.ts`);
  const changed = (await readFile(path, 'utf8'))
    .replace(`import { descriptions }`, `import { CatsModule } from './cats/cats.module';\n$&`)
    .replace(`\n\n/** The program`, `\nimport { ProfileController } from './profile/profile.controller';$&`)
    .replace(
      '    home,\n',
      `$&    { name: 'cats', modules: () => [CatsModule] },
    { name: 'profile', controllers: [ProfileController] },
`,
    );
  await writeFile(path, changed);
}
