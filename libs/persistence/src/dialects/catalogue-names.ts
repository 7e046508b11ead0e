import { type KyselyPlugin } from 'kysely';

/** Gives the rows of a catalogue the names that Kysely's introspectors read: rows of ours have names in camelCase. */
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
