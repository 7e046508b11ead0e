import { type Drill, finding } from '../drill.mts';
import { execute } from '../environment/from-outside.mts';
import { runCommand } from '../programs/commands.mts';

export const schemaDrift: Drill = {
  name: 'schema-drift',
  action: 'renames a table while the program is stopped, and starts the program and checks the store',
  expectation: 'the start and `check-store` name the table; with the table back, the program starts',
  stores: ['sqlite', 'postgres'],
  fires: [],
  run: async ({ start, table, store }) => {
    await (await start()).stop();
    await execute(store.url, `alter table "${table.name}" rename to "${table.name}_away"`);
    const refusal = await messageOf(start());
    const check = await messageOf(runCommand('check-store', [], store.url));
    await execute(store.url, `alter table "${table.name}_away" rename to "${table.name}"`);
    const again = await messageOf(start());
    const isNamed = (message: string) => message.includes(`the database lacks ${table.name}.`);
    return finding(
      { 'the start': /did not start: .*/.exec(refusal)?.[0] ?? 'succeeds' },
      {
        'the start names the table': isNamed(refusal),
        '`check-store` names the table': isNamed(check),
        'the program starts with the table': again === '',
      },
    );
  },
};

function messageOf(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => '',
    (error: Error) => error.message,
  );
}
