import '../../../scripts/load-sources.mts';

/** Prints the migrations of the libraries, as `sluice upgrade` reads them: a program of its own, since it loads the sources of the libs. */
const { runsSinceOf } = await import('@app/persistence');
const { librarySchemas } = await import('@app/service');
const migrations = librarySchemas.flatMap((schema) =>
  Object.keys(schema.migrations).map((name) => ({
    name: `${schema.owner}/${name}`,
    runsSince: since(schema.owner, runsSinceOf(schema, name)),
  })),
);
process.stdout.write(JSON.stringify(migrations, undefined, 2));

function since(owner: string, name: string | undefined): string | undefined {
  return name && `${owner}/${name}`;
}
