import { finished } from 'node:stream/promises';
import { Database } from '@app/persistence';
import { ofAllTenants } from '@app/persistence/testing';
import fc from 'fast-check';
import { sql } from 'kysely';
import { describeRoutes } from '../src/contract/describe-routes.discovery';
import type { BootedProgram } from './boot-program';
import { describedInputs } from './described-inputs';

/** The number of requests to each route: twice the limit that any route has. */
const requests = 2000;
const atOnce = 20;

/**
 * Tests that an address without credentials can add only a bounded number of rows. Each public route gets many valid requests
 * with different values, from its own address. Call it inside `describe`.
 *
 * @param parameters path parameters that let requests reach the handlers, such as a provider name
 */
export function testAnonymousRows(
  program: BootedProgram,
  parameters: Readonly<Record<string, string>> = {},
): void {
  it('adds a bounded number of rows for an address without credentials', { timeout: 600_000 }, async () => {
    const db = program.app().get(Database, { strict: false });
    const bodies = (await describedInputs(program)).filter(({ from }) => from === 'body');
    const open = describeRoutes(program.app()).filter(({ callers }) => callers.isPublic);
    expect(open.length).toBeGreaterThan(10);
    const unbounded: object[] = [];
    for (const [index, { method, path }] of open.entries()) {
      const remoteAddress = `10.0.0.${index}`;
      const url = path.replaceAll(/:(\w+)/g, (_part, name) => parameters[name] ?? 'unknown');
      const body = bodies.find(({ route }) => route.method === method && route.path === path);
      const payloads = body ? fc.sample(body.valid, requests) : Array<undefined>(requests).fill(undefined);
      const before = await rowsOf(db);
      for (let at = 0; at < requests; at += atOnce)
        await Promise.all(
          payloads.slice(at, at + atOnce).map(async (payload) => {
            const request = { method: method as 'GET', url, remoteAddress, payload: payload as object };
            // Collecting the bytes of large files would take most of the time.
            const response = await program.app().inject({ ...request, payloadAsStream: true });
            await finished(response.stream().resume());
          }),
        );
      for (const [table, rows] of await rowsOf(db)) {
        const added = rows - (before.get(table) ?? 0);
        if (added > requests / 2) unbounded.push({ method, path, table, added });
      }
    }
    expect(unbounded).toEqual([]);
  });
}

async function rowsOf(db: Database): Promise<ReadonlyMap<string, number>> {
  const tables = await db.introspection.getTables();
  const all = ofAllTenants(db);
  const counts = tables.map(async ({ name }) => {
    const { rows } = await sql<{ rows: number | string }>`
      select count(*) as rows from ${sql.table(name)}`.execute(all);
    return [name, Number(rows[0]?.rows)] as const;
  });
  return new Map(await Promise.all(counts));
}
