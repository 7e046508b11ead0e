import { setTimeout as pause } from 'node:timers/promises';
import { givenKeyFile } from '@app/accounts';
import { runKeysCommand } from '@app/auth';

/** `node keys.js turn`: what `npm run keys` does, in a packed folder. */
async function main(): Promise<void> {
  try {
    await runKeysCommand({ ...givenKeyFile(process.env), print, pause }, process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

void main();
