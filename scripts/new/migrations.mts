import type { Draft } from './draft.mts';
import { insertAmong } from './resource/insert.mts';

/** The folder of migrations. */
export const migrations = 'libs/persistence/src/migrations';
const list = `${migrations}/migrations.ts`;

/** A migration to register. */
interface NewMigration {
  /** `0007-tickets`. */
  readonly migration: string;
  /** The function, or of a concurrent one the object, that its file exports. */
  readonly name: string;
  readonly isConcurrent?: boolean;
}

/** The next number: `0007-tickets`. */
export function nextMigration(draft: Draft, name: string): string {
  const next = Number.parseInt(newestMigration(draft), 10) + 1;
  return `${String(next).padStart(4, '0')}-${name}`;
}

/**
 * Registers the migrations of one file. Programs that have the newest one run on the tables of these too, which only add to them.
 *
 * @param all oldest first; the file has the name of the first
 */
export function registerMigrations(draft: Draft, all: readonly [NewMigration, ...NewMigration[]]): void {
  for (const { migration, name, isConcurrent = false } of all) {
    const apply = isConcurrent ? `...${name}` : `apply: ${name}`;
    const entry = `  '${migration}': { ${apply}, runsSince: '${newestMigration(draft)}' },`;
    insertAmong(draft, { path: list, neighbour: /^ {2}'\d{4}-[^']+': \{[^}]*\},$/gm }, entry);
  }
  const names = all.map(({ name }) => name).join(', ');
  const neighbour = /^import [^;]* from '\.\/\d[^']*';$/gm;
  insertAmong(draft, { path: list, neighbour }, `import { ${names} } from './${all[0].migration}';`);
}

/** `0006-token-generation`. */
function newestMigration(draft: Draft): string {
  const names = [...draft.read(list).matchAll(/^ {2}'(\d{4}-[^']+)':/gm)].map(([, name = '']) => name);
  return names.toSorted().at(-1) ?? '';
}
