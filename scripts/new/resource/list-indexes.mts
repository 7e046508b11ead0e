import type { Draft } from '../draft.mts';
import { insertAmong } from './insert.mts';
import { sortsOf } from './lists.mts';
import { type Resource, sampleName } from './resource.mts';

/** The spec that reads the query plans of every declared order. */
const listIndexes = 'apps/api/test/list-indexes.spec.ts';

/** Gives the spec rows of a new resource, without which it has no next page to read. */
export function addToListIndexes(draft: Draft, resource: Resource): void {
  if (sortsOf(resource).length === 0) return;
  const { plural, kebab } = resource;
  const made = `await ${sampleName(resource)}({ caller: administrator, admin: administrator })`;
  insertAmong(
    draft,
    { path: listIndexes, neighbour: /^ {6}await administrator\.post\([^;]*\);$/gm },
    `      await administrator.post('/${plural}', ${made});`,
  );
  const place = `../testing/samples/${kebab}`;
  insertAmong(
    draft,
    { path: listIndexes, neighbour: /^import [^;]* from '(\.\.\/[^']+)';$/gm },
    `import { ${sampleName(resource)} } from '${place}';`,
    place,
  );
}
