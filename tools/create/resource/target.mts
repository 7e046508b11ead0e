import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../../../scripts/workspace.mts';
import { type Names, readNames } from '../names.mts';
import { samplePath } from './places.mts';

/** A resource to which a field of a new one refers. */
export interface Target {
  /** Its path: `projects`. */
  readonly plural: string;
  /** In the database: `project`. */
  readonly table: string;
  /** `project`, as a member of `Tables`. */
  readonly camel: string;
  /** `Project`. */
  readonly pascal: string;
  /** Whether each caller has their own. */
  readonly isOwned: boolean;
}

/**
 * Finds a resource of an application by its path. It needs a sample, which the generator writes for each resource: the tests of the new
 * one create what they refer to.
 *
 * @throws Error that names what is missing
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
    const isOwned = /^ {2}accountId: /m.test(text);
    return { ...readNames(kebab, []), plural, table: kebab.replaceAll('-', '_'), isOwned };
  }
  return undefined;
}
