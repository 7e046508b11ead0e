import './load-sources.mts';
import { setTimeout as pause } from 'node:timers/promises';
import { runScript } from './workspace.mts';

/**
 * Lists or turns the keys of access tokens in `JWT_KEY_FILE` while programs run: `npm run keys -- turn`. `list`, `add`, `use` and
 * `drop` are its steps, for programs that do not share the file.
 */
await runScript(async () => {
  const { runKeysCommand } = await import('@app/auth');
  const { givenKeyFile } = await import('@app/accounts');
  await runKeysCommand({ ...givenKeyFile(process.env), print: console.log, pause }, process.argv.slice(2));
});
