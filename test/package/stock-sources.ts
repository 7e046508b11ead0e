import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The only changed line. It imports the pipe and the interceptor from the package. */
const changed = /from '@nestjs\/common'; \/\/ the changed line/g;

/** Sources by file name. */
export type Sources = Readonly<Record<string, string>>;

/**
 * The source of the stock program's pipe. It also determines whether the package's interceptor or its writer sends the
 * responses.
 */
export type Pipe = '@nestjs/common' | '@sluice/engine/nest' | 'the writer of replies';

/** Returns the TypeScript sources of the stock program. */
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

/** Reads a program's files. */
export async function sourcesIn(folder: string, place = 'src'): Promise<Sources> {
  const files = await readdir(join(folder, place));
  const read = files.map(async (file) => [file, await readFile(join(folder, place, file), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(read));
}
