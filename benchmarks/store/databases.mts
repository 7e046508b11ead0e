import '../../scripts/load-sources.mts';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { fill } from './fill.mts';
import type { Store } from './subjects.mts';

/** Databases with equal rows for all servers. */
export interface Databases {
  /** Makes a new copy and returns its URL. */
  copy(): Promise<string>;
  remove(): Promise<void>;
}

/** Fills a database and makes copies from it. */
export function makeDatabases(store: Store): Promise<Databases> {
  return store === 'SQLite' ? files() : onServer();
}

async function files(): Promise<Databases> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-store-'));
  const template = join(folder, 'template.db');
  let count = 0;
  await fill(`sqlite:${template}`);
  return {
    copy: async () => {
      const own = join(folder, String((count += 1)));
      mkdirSync(own);
      copyFileSync(template, join(own, 'store.db'));
      return `sqlite:${join(own, 'store.db')}`;
    },
    remove: async () => rmSync(folder, { recursive: true }),
  };
}

/** Starts a separate server, which waits for the disk as by default. */
async function onServer(): Promise<Databases> {
  const { startPostgres } = await import('@app/persistence/testing');
  const server = await startPostgres({ isDurable: true });
  const urlOf = (name: string) => Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
  const tell = async (statement: string) => {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  let count = 0;
  await tell('create database template_of_all');
  await fill(urlOf('template_of_all'));
  return {
    copy: async () => {
      const name = `store_${(count += 1)}`;
      await tell(`create database ${name} template template_of_all`);
      return urlOf(name);
    },
    remove: () => server.stop(),
  };
}
