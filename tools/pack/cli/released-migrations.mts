import '../../../scripts/load-sources.mts';

/** Prints the migrations of the framework, as `sluice upgrade` reads them: a program of its own, since it loads the sources of the libs. */
const { historiesOf, runsSinceOf } = await import('@app/persistence');
const [framework] = historiesOf(undefined);
const migrations = Object.keys(framework.migrations).map((name) => ({
  name,
  runsSince: runsSinceOf(framework, name),
}));
process.stdout.write(JSON.stringify(migrations, undefined, 2));
