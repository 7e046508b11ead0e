import ts from 'typescript';
import type { Draft } from '../draft.mts';
import { addElement, declared, parse } from '../field/syntax.mts';
import { insertAmong } from './insert.mts';
import { type Resource, sampleName } from './resource.mts';

const exportSpec = 'apps/api/test/account-export.spec.ts';

/** Adds the rows of an owned resource to the export of an account; tells the test why those of another are in none. */
export function addToAccountExport(draft: Draft, resource: Resource, appModule: string): void {
  const { camel, plural, isOwned } = resource;
  const place = isOwned ? `{ in: '${plural}' }` : "{ not: 'is managed by administrators' }";
  insertAmong(
    draft,
    { path: exportSpec, neighbour: /^ {2}(\w+): \{ (?:in|not): .* \},$/gm },
    `  ${camel}: ${place},`,
    camel,
  );
  if (!isOwned) return;
  addPart(draft, resource, appModule);
  makeOne(draft, resource);
}

/** @throws Error if the module has no list of parts */
function addPart(draft: Draft, { pascal, plural, pluralPascal }: Resource, appModule: string): void {
  const part = `exportPart(${pluralPascal}Store, {
    name: '${plural}',
    as: ${pascal},
    read: (store, accountId, slice) => store.list(accountId, slice),
  })`;
  const source = parse(draft.read(appModule));
  const list = declared(source, ts.isVariableDeclaration, 'exportParts')?.initializer;
  const parts = list !== undefined && ts.isArrayLiteralExpression(list) ? list.elements : undefined;
  const text = addElement(source, parts, part, { key: part });
  if (text === undefined) throw new Error(`${appModule} has no list exportParts: add this by hand\n${part}`);
  draft.write(appModule, text);
  const neighbour = /^import [^;]* from '(\.\/[^']+)';$/gm;
  const file = `./${plural}/${plural}.dto`;
  insertAmong(draft, { path: appModule, neighbour }, `import { ${pascal} } from '${file}';`, file);
}

/** The test exports an account that has something of every kind. */
function makeOne(draft: Draft, { kebab, pascal, plural }: Resource): void {
  insertAmong(
    draft,
    { path: exportSpec, neighbour: /^ {4}await client\.post\([^;]*\);$/gm },
    `    await client.post('/${plural}', await ${sampleName({ pascal })}({ caller: client, admin: await api.administrator() }));`,
  );
  const place = `../testing/samples/${kebab}`;
  const neighbour = /^import [^;]* from '(\.\.\/[^']+)';$/gm;
  insertAmong(
    draft,
    { path: exportSpec, neighbour },
    `import { ${sampleName({ pascal })} } from '${place}';`,
    place,
  );
}
