import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { drawBars } from './draw.mts';
import type { Sample } from './measure.mts';
import { routes } from './routes.mts';
import { goals, ours } from './subjects.mts';

/** The median and the quartiles of all slices. */
export interface Row extends Sample {
  readonly least: number;
  readonly most: number;
}

const page = join(import.meta.dirname, '../results.md');
const picture = join(import.meta.dirname, '../http.svg');
const title = '## HTTP, compared with other frameworks';
const packages = ['@nestjs/core', 'express', 'fastify', 'hono'];
const perRequest = 'µs CPU per request';

export function rowsOf(samples: readonly Sample[]): Row[] {
  const groups = Map.groupBy(samples, ({ case: name, subject, unit }) => `${name}|${subject}|${unit}`);
  return [...groups.values()].map((group) => {
    const sorted = group.map(({ value }) => value).toSorted((left, right) => left - right);
    const last = sorted.length - 1;
    const [least, most] = [sorted[Math.floor(last / 4)], sorted[Math.ceil((last * 3) / 4)]];
    return { ...group[0], value: sorted[Math.floor(sorted.length / 2)], least, most };
  });
}

/** Returns the tables in Markdown. */
export function tablesOf(samples: readonly Sample[]): string {
  const rows = rowsOf(samples);
  return [
    table(
      rows,
      'CPU µs per request',
      perRequest,
      ({ value, least, most }) => `${fixed(value)} (${fixed(least)}–${fixed(most)})`,
    ),
    table(rows, 'times ours', perRequest, (row) => `${(row.value / oursIn(rows, row)).toFixed(2)}×`),
    goalTable(rows),
    table(rows, 'requests/s', 'requests/s', ({ value }) => Math.round(value).toLocaleString('en')),
    table(rows, 'p50, ms', 'ms p50', ({ value }) => value.toFixed(2)),
    table(rows, 'p99, ms', 'ms p99', ({ value }) => value.toFixed(2)),
    startTable(rows),
  ].join('\n');
}

/** Replaces the tables in results.md and draws the chart. */
export function writePage(samples: readonly Sample[]): void {
  const text = readFileSync(page, 'utf8');
  const start = text.indexOf(`${title}\n`);
  const next = start === -1 ? -1 : text.indexOf('\n## ', start);
  const before = start === -1 ? `${text.trimEnd()}\n\n` : text.slice(0, start);
  const after = next === -1 ? '' : text.slice(next);
  writeFileSync(page, `${before}${sectionOf(samples)}${after}`);
  writeFileSync(
    picture,
    drawBars(
      rowsOf(samples).filter(({ unit }) => unit === perRequest),
      conditions(packages),
    ),
  );
}

function sectionOf(samples: readonly Sample[]): string {
  return `${title}\n\n${introduction}\n\n${conditions(packages)}\n\n${tablesOf(samples)}`;
}

const introduction = `\`npm run bench\` (\`benchmarks/http\`): six routes, ${routes.map(({ key, title: what }) => `${key} \`${what}\``).join(', ')}.
Before anything is timed, every subject has given the same answers to all of them, and to fourteen invalid tokens, bodies and
paths. Peers without *our headers and log* log nothing and set no headers of their own; those with them send the same headers, a request id and
a log line of each request (Hono two), in batches as ours, by the plug-ins of their documentation (\`@fastify/helmet\`,
\`@fastify/under-pressure\`, pino; \`secureHeaders\`, \`requestId\`, \`logger\`). Ours is \`api\` as in production, with its limits, headers, an access
log (to \`/dev/null\`) and a guard that checks revocations. Data are in memory and passwords are not hashed, except that \`Sluice on SQLite\` stores its data in a file. 50
connections, a token each, no pipelining, and a load generator that never sleeps, because waking it would be charged to the server.
CPU per request is that of the server's process with all its threads, and the most reliable figure: the median of twelve
slices in which the subjects took turns, after three seconds of load each, in brackets the quartiles.`;

/** Returns the date, the machine, and the package versions. */
export function conditions(named: readonly string[]): string {
  const [cpu] = cpus();
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  const versions = named.map((name) => `${name} ${versionOf(name)}`);
  const day = new Date().toISOString().slice(0, 10);
  const load = loadavg()[0].toFixed(1);
  return `${day}, ${cpus().length} × ${cpu.model.trim()}, load ${load}, Node ${process.version.slice(1)}, ${versions.join(', ')}, commit ${commit.trim()}.`;
}

function versionOf(name: string): string {
  const path = createRequire(import.meta.url).resolve(name);
  const folder = path.slice(0, path.lastIndexOf(`node_modules/${name}/`) + `node_modules/${name}/`.length);
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
}

function table(rows: readonly Row[], heading: string, unit: string, write: (row: Row) => string): string {
  const lines = subjectsOf(rows).map((subject) => {
    const cells = routes.map(({ key }) => {
      const row = rows.find(
        (candidate) => candidate.case === key && candidate.subject === subject && candidate.unit === unit,
      );
      return row ? write(row) : '';
    });
    return `| ${bold(subject)} | ${cells.join(' | ')} |`;
  });
  const head = `| ${heading} | ${routes.map(({ key }) => key).join(' | ')} |`;
  return `${head}\n|---|${'---:|'.repeat(routes.length)}\n${lines.join('\n')}\n`;
}

/** Returns the goals as a table with the measured ratio and the minimum. */
function goalTable(rows: readonly Row[]): string {
  const lines = goals.map(({ subject, atLeast }) => {
    const cells = routes.map(({ key }, at) => {
      const row = rows.find(
        (candidate) =>
          candidate.case === key && candidate.subject === subject && candidate.unit === perRequest,
      );
      if (row === undefined) return '';
      const reached = row.value / oursIn(rows, row);
      const share = `${reached.toFixed(2)} of ${atLeast[at]}`;
      return reached >= atLeast[at] ? share : `**${share}**`;
    });
    return `| ${subject} | ${cells.join(' | ')} |`;
  });
  const head = `| goals, the missed ones in bold | ${routes.map(({ key }) => key).join(' | ')} |`;
  return `${head}\n|---|${'---:|'.repeat(routes.length)}\n${lines.join('\n')}\n`;
}

function startTable(rows: readonly Row[]): string {
  const cell = (subject: string, name: string, unit: string) => {
    const row = rows.find((candidate) => candidate.subject === subject && candidate.case === name);
    return row ? `${Math.round(row.value)} ${unit}` : '';
  };
  const lines = subjectsOf(rows).map(
    (subject) =>
      `| ${bold(subject)} | ${cell(subject, 'first answer', 'ms')} | ${cell(subject, 'resident memory', 'MiB')} |`,
  );
  return `| | first answer | resident memory, after the round |\n|---|---:|---:|\n${lines.join('\n')}\n`;
}

function subjectsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.map(({ subject }) => subject))];
}

function oursIn(rows: readonly Row[], { case: name, unit }: Row): number {
  return (
    rows.find((row) => row.case === name && row.unit === unit && row.subject === ours)?.value ?? Number.NaN
  );
}

function bold(subject: string): string {
  return subject.startsWith(ours) ? `**${subject}**` : subject;
}

function fixed(value: number): string {
  return value.toFixed(1);
}
