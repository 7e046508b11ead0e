import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The one changed line: the pipe and the interceptor come from the package. */
const changed = /from '@nestjs\/common'; \/\/ the changed line/g;

/** Sources by the names of their files. */
export type Sources = Readonly<Record<string, string>>;

/** Where the pipe of the stock program is from, and what sends its responses: the interceptor of the package, or its writer. */
export type Pipe = '@nestjs/common' | '@sluice/engine/nest' | 'the writer of replies';

/** The TypeScript of the stock program. */
export async function stockSources(pipe: Pipe): Promise<Sources> {
  const sources = await sourcesIn(join(__dirname, 'stock'), '.');
  const isWriter = pipe === 'the writer of replies';
  const from = isWriter ? '@sluice/engine/nest' : pipe;
  return Object.fromEntries(
    Object.entries(sources).map(([file, text]) => {
      const moved = text.replaceAll(changed, `from '${from}';`);
      return [file, isWriter ? withWriter(moved) : moved];
    }),
  );
}

function withWriter(text: string): string {
  return text
    .replace('import { ClassSerializerInterceptor } from', 'import { writeReplies } from')
    .replace(
      'app.useGlobalInterceptors(new ClassSerializerInterceptor(app.get(Reflector)));',
      'writeReplies(app);',
    );
}

/** The files of a program. */
export async function sourcesIn(folder: string, place = 'src'): Promise<Sources> {
  const files = await readdir(join(folder, place));
  const read = files.map(async (file) => [file, await readFile(join(folder, place, file), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(read));
}
