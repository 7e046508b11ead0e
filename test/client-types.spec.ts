import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

const root = join(__dirname, '..');

const head = `/**
 * What api takes in and sends, as types.
 *
 * Made from apps/api/openapi.json by \`npm run client\`; a change by hand does not last.
 */

`;

describe('the types of the client', () => {
  it('follow the description of api (`npm run client` writes them anew)', async () => {
    const description = JSON.parse(readFileSync(join(root, 'apps/api/openapi.json'), 'utf8'));
    const types = astToString(await openapiTS(description));
    await expect(head + types).toMatchFileSnapshot(join(root, 'libs/client/src/api.ts'));
  });
});
