import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDatabase } from '@app/persistence/testing';
import { inject } from 'vitest';
import { endProcesses, run } from './processes';
import { startProgram } from './programs';

const workspace = inject('builds')[0]?.workspace ?? '';

afterAll(endProcesses);

describe('the first requests of the README', () => {
  it('has the printed output when it is pasted into a shell', async () => {
    const { commands, answers } = readFirstRequests();
    expect(commands).toContain('$ACCESS_TOKEN');
    const database = await temporaryDatabase();
    const { url } = await startProgram(workspace, 'api', { DATABASE_URL: database.url });
    const pasted = commands.replaceAll('localhost:3000', new URL(url).host);
    expect(await run('sh', ['-c', pasted], { cwd: workspace })).toEqual({ code: 0, output: answers });
    await endProcesses();
    await database.remove();
  });
});

/** The commands on the page, and their output. */
function readFirstRequests(): { commands: string; answers: string } {
  const text = readFileSync(join(__dirname, '../../README.md'), 'utf8');
  const [, commands = '', answers = ''] =
    /^## First requests\n\n```sh\n([^]*?)```\n\n```json\n([^]*?)\n```$/m.exec(text) ?? [];
  return { commands, answers };
}
