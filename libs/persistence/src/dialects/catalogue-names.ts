import { type KyselyPlugin } from 'kysely';

/** Restores the column names that Kysely's introspectors read, because our result rows have names in camelCase. */
export const catalogueNames: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => ({ ...result, rows: result.rows.map(asInCatalogue) }),
};

function asInCatalogue(row: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [snakeCase(name), value]));
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
