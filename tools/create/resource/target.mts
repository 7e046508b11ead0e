import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../../../scripts/workspace.mts';
import { type Names, readNames } from '../names.mts';
import { samplePath } from './places.mts';

/** The owner of each row: an account, or an organization as its tenant. */
export type Owner = 'account' | 'organization';

/** A resource that a new field refers to. */
export interface Target {
  /** The path: `projects`. */
  readonly plural: string;
  /** The table name in the database: `project`. */
  readonly table: string;
  /** The name as a member of `Tables`: `project`. */
  readonly camel: string;
  /** The name in classes: `Project`. */
  readonly pascal: string;
  readonly owner?: Owner | undefined;
}

/**
 * Finds an application's resource by its path. The resource needs a sample, because the tests for the new resource create the
 * rows they refer to. The generator writes a sample for each resource.
 *
 * @throws Error that names the missing file or table
 */
export function findTarget(app: string, path: string): Target {
  const table = findTable(app, path);
  if (table === undefined) throw new Error(`ref:${path}: there is no resource ${path} with a table`);
  const sample = samplePath({ app, kebab: table.kebab });
  if (!existsSync(join(root, sample)))
    throw new Error(`ref:${path}: ${sample} is missing; write it as those of generated resources`);
  return table;
}

/** Finds the first table of a resource by its path, or by its name in the singular. */
export function findTable(app: string, path: string): (Names & Target) | undefined {
  for (const file of globSync(`apps/${app}/src/*/*.table.ts`, { cwd: root }).toSorted()) {
    const text = readFileSync(join(root, file), 'utf8');
    const camel = /defineTable\('(\w+)'/.exec(text)?.[1] ?? '';
    const kebab = camel.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const plural = basename(file, '.table.ts');
    if (![plural, kebab].includes(path)) continue;
    return { ...readNames(kebab, []), plural, table: kebab.replaceAll('-', '_'), owner: ownerIn(text) };
  }
  return undefined;
}

/** Returns the owner of the rows by the table file's text. */
function ownerIn(text: string): Owner | undefined {
  if (/^ {2}tenant: 'organizationId'/m.test(text)) return 'organization';
  return /^ {2}accountId: /m.test(text) ? 'account' : undefined;
}
