import { globSync, readFileSync } from 'node:fs';

/** What opens a database of the store that tests run on, or asks which one that is. */
const opening =
  /TEST_DATABASE_URL|\b(temporaryDatabase|migratedDatabase|useMigratedDatabase|useAccountsDatabase|historyBehaves|schemaBehaves|startPostgres|hasPatroni)\b/;

/** The specs of libraries that open such a database, by their text; `store-specs.setup.ts` checks it. */
export function specsOnStore(root: string): string[] {
  const specs = globSync(
    'libs/{accounts,mail,passkeys,persistence,second-factors}/{src,testing}/**/*.spec.ts',
    {
      cwd: root,
    },
  );
  return specs.filter((path) => opening.test(readFileSync(`${root}/${path}`, 'utf8')));
}
