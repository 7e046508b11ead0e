import { type Drill, finding } from '../drill.mts';

/** Faulty settings, and what the message about each contains: the name, and the remedy. */
const faults: readonly (readonly [env: Readonly<Record<string, string>>, remedy: string])[] = [
  [{ DATABSE_URL: 'sqlite:./other.db' }, 'DATABASE_URL'],
  [{ LOGLEVEL: 'debug' }, 'LOG_LEVEL'],
  [{ NODE_ENV: 'prod' }, 'production'],
  [{ BACKUP_SCHEDULE: '6h' }, 'BACKUP_TO'],
  [{ PORT: 'many' }, 'PORT'],
];

export const wrongSettings: Drill = {
  name: 'wrong-settings',
  action:
    'starts the program with a misspelt name, with a wrong value, and without a setting that another needs',
  expectation:
    'each start is refused by a message with the right name or value, and the program starts without the fault',
  stores: ['sqlite', 'postgres'],
  fires: [],
  run: async ({ start }) => {
    const startWith = (env: Readonly<Record<string, string>>) =>
      start({ env }).then(
        (program) => program.stop().then(() => 'it starts'),
        (error: Error) => /did not start: ([^\n]*)/.exec(error.message)?.[1] ?? error.message,
      );
    const messages: Record<string, string> = {};
    const claims: Record<string, boolean> = {};
    for (const [env, remedy] of faults) {
      const [name = ''] = Object.keys(env);
      const message = await startWith(env);
      messages[name] = message;
      claims[`the message about ${name} names ${remedy}`] =
        message.includes(name) && message.includes(remedy);
    }
    claims['the program starts without them'] = (await startWith({})) === 'it starts';
    return finding(messages, claims);
  },
};
