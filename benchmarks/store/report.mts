import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conditions } from '../http/report.mts';
import type { StoreSample } from './measure.mts';
import { routes } from './routes.mts';
import { goals, ours, type Store, subjectsOf } from './subjects.mts';

/** The median and the spread of all rounds. */
export interface Row extends StoreSample {
  readonly least: number;
  readonly most: number;
}

const page = join(import.meta.dirname, '../results.md');
const title = '## Stores, compared with other programs';
const perRequest = 'µs CPU per request';
const versions = ['fastify', 'drizzle-orm', 'typeorm', '@mikro-orm/core', 'kysely', 'pg'];

export function rowsOf(samples: readonly StoreSample[]): Row[] {
  const groups = Map.groupBy(samples, (row) => [row.store, row.case, row.subject, row.unit].join('|'));
  return [...groups.values()].map((group) => {
    const sorted = group.map(({ value }) => value).toSorted((left, right) => left - right);
    const median = sorted[Math.floor(sorted.length / 2)];
    return { ...group[0], value: median, least: sorted[0], most: sorted.at(-1) ?? median };
  });
}

/** Returns the tables in Markdown. */
export function tablesOf(samples: readonly StoreSample[]): string {
  const rows = rowsOf(samples);
  const stores = [...new Set(rows.filter(({ unit }) => unit === perRequest).map(({ store }) => store))];
  return [...stores.map((store) => storeTables(rows, store)), mixedTable(rows)].join('\n');
}

/** Replaces the tables in results.md. A separate, hand-written section explains their limits. */
export function writePage(samples: readonly StoreSample[]): void {
  const text = readFileSync(page, 'utf8');
  const start = text.indexOf(`${title}\n`);
  const next = start === -1 ? -1 : text.indexOf('\n## ', start);
  const before = start === -1 ? `${text.trimEnd()}\n\n` : text.slice(0, start);
  const after = next === -1 ? '' : text.slice(next);
  writeFileSync(page, `${before}${sectionOf(samples)}${after}`);
}

function sectionOf(samples: readonly StoreSample[]): string {
  return `${title}\n\n${introduction}\n\n${conditions(versions)}\n\n${tablesOf(samples)}`;
}

const introduction = `\`npm run bench -- store\` (\`benchmarks/store\`): ${routes.map(({ key, title: what }) => `${key} \`${what}\``).join(', ')}.
All programs have the same tables and rows (1,000 accounts, 10,000 items, 10,000 orders of ten lines) and the same durability (SQLite
in WAL mode with an fsync per commit or group; PostgreSQL with fsync), and gave the same answers before anything was timed. The peers log
nothing and set few headers; ours is \`api\` as in production. Peers use \`node:sqlite\` too: MikroORM by a dialect of its own, Drizzle
and TypeORM through an adapter with the interface of better-sqlite3, which would have to be compiled. 50 connections, an account
each. CPU is that of the server's process with all its threads, without PostgreSQL's; in brackets the minimum and maximum of the rounds.`;

function storeTables(rows: readonly Row[], store: Store): string {
  const own = rows.filter((row) => row.store === store && row.unit === perRequest);
  const cells = (subject: string, write: (row: Row) => string) =>
    routes.map(({ key }) => {
      const row = own.find((candidate) => candidate.case === key && candidate.subject === subject);
      return row ? write(row) : '';
    });
  const costs = subjectsIn(own).map((subject) =>
    line([
      bold(subject),
      ...cells(
        subject,
        ({ value, least, most }) => `${value.toFixed(0)} (${least.toFixed(0)}–${most.toFixed(0)})`,
      ),
    ]),
  );
  const reached = goals
    .filter((goal) => goal.store === store)
    .map(({ subject, atMost }) =>
      line([subject, ...cells(subject, (row) => goalCell(own, row, atMost[keyAt(row)]))]),
    );
  return [
    head(
      `${store}, CPU µs per request`,
      routes.map(({ key }) => key),
    ),
    ...costs,
    '',
    head(
      'ours ÷ theirs, and the goal; missed in bold',
      routes.map(({ key }) => key),
    ),
    ...reached,
    '',
  ].join('\n');
}

function goalCell(rows: readonly Row[], theirs: Row, atMost: number): string {
  const own = rows.find((row) => row.case === theirs.case && row.subject === ours)?.value ?? Number.NaN;
  const share = own / theirs.value;
  if (Number.isNaN(atMost)) return '';
  return share <= atMost ? `${share.toFixed(2)} of ${atMost}` : `**${share.toFixed(2)} of ${atMost}**`;
}

function mixedTable(rows: readonly Row[]): string {
  const own = rows.filter(({ unit }) => unit !== perRequest);
  if (own.length === 0) return '';
  const cases = [...new Set(own.map((row) => row.case))];
  const cell = (name: string, subject: string) => {
    const value = (unit: string) =>
      own.find((row) => row.case === name && row.subject === subject && row.unit === unit)?.value ??
      Number.NaN;
    const shed = value('responses with 503');
    const orders = Math.round(value('orders/s')).toLocaleString('en');
    const read = `${value('ms p50 of reads').toFixed(1)}/${value('ms p99 of reads').toFixed(1)}`;
    return `${orders}; ${read}${shed > 0 ? `; ${shed} × 503` : ''}`;
  };
  return [
    head('SQLite, 40 write orders, 10 read me: orders/s; reads p50/p99 ms', cases),
    ...subjectsIn(own).map((subject) => line([bold(subject), ...cases.map((name) => cell(name, subject))])),
    '',
  ].join('\n');
}

function keyAt(row: Row): number {
  return routes.findIndex(({ key }) => key === row.case);
}

function subjectsIn(rows: readonly Row[]): string[] {
  const [{ store }] = rows;
  return subjectsOf[store].map(({ name }) => name);
}

function head(first: string, others: readonly string[]): string {
  return `${line([first, ...others])}\n|---|${'---:|'.repeat(others.length)}`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function bold(subject: string): string {
  return subject === ours ? `**${subject}**` : subject;
}
