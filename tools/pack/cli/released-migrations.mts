import '../../../scripts/load-sources.mts';
import { readProgram } from '../../../scripts/programs.mts';

/** Prints the library and plugin migrations for `sluice upgrade`. A separate program, because it loads the lib sources. */
const { runsSinceOf } = await import('@app/persistence');
const { schemasOf } = await import('@app/service');
const program = await readProgram('api');
const released = schemasOf(program).all.filter(({ owner }) => owner !== program.name);
const migrations = released.flatMap((schema) =>
  Object.keys(schema.migrations).map((name) => ({
    name: `${schema.owner}/${name}`,
    runsSince: since(schema.owner, runsSinceOf(schema, name)),
  })),
);
process.stdout.write(JSON.stringify(migrations, undefined, 2));

function since(owner: string, name: string | undefined): string | undefined {
  return name && `${owner}/${name}`;
}
