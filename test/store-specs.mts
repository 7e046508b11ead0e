import { globSync, readFileSync } from 'node:fs';

/** The names that open a database of the store under test or read its kind. */
const opening =
  /TEST_DATABASE_URL|\b(temporaryDatabase|migratedDatabase|useMigratedDatabase|useAccountsDatabase|historyBehaves|schemaBehaves|startPostgres|hasPatroni)\b/;

/** Finds the library specs that open such a database by their text. `store-specs.setup.ts` checks the result. */
export function specsOnStore(root: string): string[] {
  const specs = globSync(
    'libs/{accounts,mail,organizations,passkeys,persistence,second-factors}/{src,testing}/**/*.spec.ts',
    {
      cwd: root,
    },
  );
  return specs.filter((path) => opening.test(readFileSync(`${root}/${path}`, 'utf8')));
}
