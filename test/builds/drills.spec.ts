import { join } from 'node:path';
import { inject } from 'vitest';
import { type Contract, required } from '../../tools/drill/callers/contract.mts';
import { drills } from '../../tools/drill/drills.mts';
import { readContract } from '../../tools/drill/environment/read-contract.mts';
import { runDrill } from '../../tools/drill/run.mts';

const workspace = inject('builds')[0]?.workspace ?? '';
const main = join(workspace, 'dist/apps/api/main.js');

let contract: Contract;
beforeAll(async () => {
  contract = await readContract(main);
}, 120_000);

/** The drills that take seconds instead of minutes; `npm run drill` runs them all, on both stores. */
const short = new Set(['kill-9', 'unhandled-error', 'rolling-restart']);

/** Anybody may create posts, and a slug that is sent twice is refused. */
it('drills use posts, which they find in the OpenAPI document', () => {
  const { prefix, newUser, subject, table } = contract;
  const { list, create, pathOf } = required(subject);
  const [{ path, body }, another] = [create(), create()];
  expect([prefix, list, path]).toEqual(['', '/posts', '/posts']);
  expect(body).toEqual({ slug: expect.stringMatching(/^[a-z0-9-]+$/) });
  expect(another.body).not.toEqual(body);
  expect(pathOf({ headers: { location: '/shop/posts/one' }, text: '' })).toBe('/posts/one');
  expect(table).toEqual({ name: 'post', other: '/items' });
  expect(required(newUser)()).toMatchObject({ email: expect.stringContaining('@') });
});

describe.each(drills.filter(({ name }) => short.has(name)))('the drill $name', (drill) => {
  const lacking = drill.lacks?.('sqlite');

  it.skipIf(lacking)(`passes${lacking ? ` (needs ${lacking})` : ''}: ${drill.expectation}`, async () => {
    const { failures, numbers } = await runDrill(drill, 'sqlite', { main, contract, isQuick: true });
    expect({ failures, numbers }).toEqual({ failures: [], numbers: expect.anything() });
  });
});
