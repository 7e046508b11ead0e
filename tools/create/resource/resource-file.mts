import type { Resource } from './resource.mts';
import { tableName } from './table-files.mts';

/** Returns the name of the constant that declares a resource: `parkingTickets`. */
export function resourceName({ pluralPascal }: Pick<Resource, 'pluralPascal'>): string {
  return pluralPascal.charAt(0).toLowerCase() + pluralPascal.slice(1);
}

/** Returns the file that declares a resource: `tickets.resource.ts`. */
export function resourceFile(resource: Resource): string {
  const { pascal, plural, pluralPascal, isOwned } = resource;
  const store = `${pluralPascal}Store`;
  const imports = [
    ...(isOwned ? ["import { exportPart } from '@app/accounts';"] : []),
    "import { defineResource } from '@app/service';",
    `import { ${pluralPascal}Controller } from './${plural}.controller';`,
    ...(isOwned ? [`import { ${pascal} } from './${plural}.dto';`] : []),
    `import { ${store} } from './${plural}.store';`,
    `import { ${tableName(resource)} } from './${plural}.table';`,
  ];
  const part = `
  exports: [
    exportPart(${store}, {
      name: '${plural}',
      as: ${pascal},
      read: (store, accountId, slice) => store.list(accountId, slice),
    }),
  ],`;
  return `${imports.join('\n')}

/** ${isOwned ? `The ${plural.replaceAll('-', ' ')} of an account.` : `The ${plural.replaceAll('-', ' ')}.`} */
export const ${resourceName(resource)} = defineResource({
  name: '${plural}',
  table: ${tableName(resource)},
  store: ${store},
  controller: ${pluralPascal}Controller,${isOwned ? part : ''}
});
`;
}
