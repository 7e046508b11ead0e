import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../builds/processes';
import { writeProgram } from './stock-program';
import { stockSources } from './stock-sources';

/** Writes the stock program like a foreign repository, with sources in git and a build that git ignores. */
export async function writeRepository(folder: string): Promise<string> {
  await mkdir(join(folder, 'src'), { recursive: true });
  for (const [file, text] of Object.entries(await stockSources('@nestjs/common')))
    await writeFile(join(folder, 'src', file), text);
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  await writeFile(join(folder, '.gitignore'), 'dist\n');
  await writeProgram(join(folder, 'dist'), 'cjs', '@nestjs/common');
  const author = ['-c', 'user.name=stock', '-c', 'user.email=stock@example.org'];
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...author, 'commit', '-qm', 'first'],
  ])
    await run('git', args, { cwd: folder });
  return folder;
}
