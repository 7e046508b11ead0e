import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The one changed line: the pipe and the interceptor come from the package. */
const changed = /from '@nestjs\/common'; \/\/ the changed line/g;

/** Sources by the names of their files. */
export type Sources = Readonly<Record<string, string>>;

/** The TypeScript of the stock program, with the pipe and the interceptor of a package. */
export async function stockSources(pipe: string): Promise<Sources> {
  const sources = await sourcesIn(join(__dirname, 'stock'), '.');
  return Object.fromEntries(
    Object.entries(sources).map(([file, text]) => [file, text.replaceAll(changed, `from '${pipe}';`)]),
  );
}

/** The files of a program. */
export async function sourcesIn(folder: string, place = 'src'): Promise<Sources> {
  const files = await readdir(join(folder, place));
  const read = files.map(async (file) => [file, await readFile(join(folder, place, file), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(read));
}
