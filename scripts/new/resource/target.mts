import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../workspace.mts';
import { type Names, readNames } from '../names.mts';
import { pluralOf } from '../plural.mts';

const tables = 'libs/persistence/src/tables';

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
 * Finds a resource by its path. It needs a sample, which the generator writes for each resource: the tests of the new one create
 * what they refer to.
 *
 * @throws Error that names what is missing
 */
export function findTarget(path: string): Target {
  const table = findTable(path);
  if (table === undefined) throw new Error(`ref:${path}: there is no resource ${path} with a table`);
  const sample = samplePath(table.kebab);
  if (!existsSync(join(root, sample)))
    throw new Error(`ref:${path}: ${sample} is missing; write it as those of generated resources`);
  return { plural: path, ...table };
}

/** Finds the table of a resource by its path, or by its name in the singular. */
export function findTable(path: string): (Names & Pick<Target, 'table' | 'isOwned'>) | undefined {
  const kebab = readdirSync(join(root, tables))
    .filter((file) => file.endsWith('.table.ts'))
    .map((file) => file.replace('.table.ts', ''))
    .find((name) => name === path || pluralOf(name) === path || plainPlural(name) === path);
  if (kebab === undefined) return undefined;
  const isOwned = /^ {2}accountId: /m.test(readFileSync(join(root, tablePath(kebab)), 'utf8'));
  return { ...readNames(kebab, []), table: kebab.replaceAll('-', '_'), isOwned };
}

/** The file of a table's type. */
export function tablePath(kebab: string): string {
  return `${tables}/${kebab}.table.ts`;
}

/** The plural of a resource that was given by `--plural`, as its sample says. */
function plainPlural(kebab: string): string | undefined {
  const path = join(root, samplePath(kebab));
  return existsSync(path) ? /`POST \/([a-z0-9-]+)`/.exec(readFileSync(path, 'utf8'))?.[1] : undefined;
}

/** The file of a function that makes a valid body. */
export function samplePath(kebab: string): string {
  return `apps/api/testing/samples/${kebab}.ts`;
}
