import type { Draft } from '../source/draft.mts';
import { insertAmong } from './insert.mts';
import { type Resource, sampleName } from './resource.mts';

/** The variable that a part of the export is declared by: `ticketsExport`. */
export function exportName({ pluralPascal }: Resource): string {
  return `${pluralPascal.charAt(0).toLowerCase()}${pluralPascal.slice(1)}Export`;
}

/** The rows of an owned resource in the export of their account. */
export function exportFile(resource: Resource): string {
  const { pascal, plural, pluralPascal } = resource;
  return `import { exportPart } from '@app/accounts';
import { ${pascal} } from './${plural}.dto';
import { ${pluralPascal}Store } from './${plural}.store';

/** \`${plural}\` of \`GET /users/me/export\`. */
export const ${exportName(resource)} = exportPart(${pluralPascal}Store, {
  name: '${plural}',
  as: ${pascal},
  read: (store, accountId, slice) => store.list(accountId, slice),
});
`;
}

/** The test exports an account that has something of every kind. */
export function addToAccountExport(draft: Draft, { app, kebab, pascal, plural, isOwned }: Resource): void {
  const path = `apps/${app}/test/account-export.spec.ts`;
  if (!isOwned || !draft.has(path)) return;
  insertAmong(
    draft,
    { path, neighbour: /^ {4}await client\.post\([^;]*\);$/gm },
    `    await client.post('/${plural}', await ${sampleName({ pascal })}({ caller: client, admin: await api.administrator() }));`,
  );
  const place = `../testing/samples/${kebab}`;
  const neighbour = /^import [^;]* from '(\.\.\/[^']+)';$/gm;
  insertAmong(draft, { path, neighbour }, `import { ${sampleName({ pascal })} } from '${place}';`, place);
}
