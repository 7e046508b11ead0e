import { globSync } from 'node:fs';
import { root } from '../../scripts/workspace.mts';
import type { Draft } from './source/draft.mts';
import { tableEntry } from './resource/table-parts.mts';
import { tablePath } from './resource/places.mts';
import type { Resource } from './resource/resource.mts';
import { addImport, edited } from './source/syntax.mts';

/** A migration to register. */
interface NewMigration {
  /** The migration's name, such as `0007-tasks-due-on`. */
  readonly migration: string;
  /** The function that the file exports; for a concurrent migration, the object that the file exports. */
  readonly name: string;
  readonly isConcurrent?: boolean;
}

/** The next number among an application's migrations: `0007-tickets`. */
export function nextMigration(draft: Draft, { app }: Pick<Resource, 'app'>, name: string): string {
  const tables = globSync(`apps/${app}/src/**/*.table.ts`, { cwd: root });
  const numbers = tables.flatMap((path) =>
    [...draft.read(path).matchAll(/'(\d{4})-[^']+':/g)].map(([, number]) => Number(number)),
  );
  return `${String(Math.max(0, ...numbers) + 1).padStart(4, '0')}-${name}`;
}

/**
 * Registers the migrations of a single file with their table. They only add, so they need not say which programs run after them.
 *
 * @param all the migrations, oldest first; the file has the name of the first migration
 * @throws Error if the table file has a different shape
 */
export function registerMigrations(
  draft: Draft,
  resource: Resource,
  all: readonly [NewMigration, ...NewMigration[]],
): void {
  const path = tablePath(resource);
  const edits = all.flatMap(({ migration, name, isConcurrent = false }) => [
    addImport(`./${all[0].migration}.migration`, name),
    tableEntry(
      resource,
      'migrations',
      `'${migration}': ${isConcurrent ? name : `{ apply: ${name} }`}`,
      migration,
    ),
  ]);
  const text = edited(draft.read(path), edits);
  if (text === undefined) throw new Error(`${path} has no defineTable('${resource.camel}', …)`);
  draft.write(path, text);
}
