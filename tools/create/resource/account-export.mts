import type { Resource } from './resource.mts';

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
