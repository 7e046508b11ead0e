/**
 * Measures how much each wire feature costs a request that leaves the feature unused: `npm run bench -- wire`.
 *
 * Each program has a feature, and the measured routes leave it unused. The requests are injected into all programs alternately,
 * in an otherwise idle process, and compared with a program without features. The time comes from the fastest fifth of short
 * blocks, so that interruptions by other work are left out. `--quick` measures fewer requests. `--json` writes rows
 * `{case, subject, value, low, high, unit}`.
 */
import '../scripts/load-sources.mts';
import { deepEqual } from 'node:assert/strict';
import { parseArgs } from 'node:util';
import type { InjectOptions } from 'fastify';
import type { Program } from './wire/programs.mts';

const { openProgram, plans } = await import('./wire/programs.mts');
const { prefersProblem } = await import('../libs/service/src/responses/preferred-type.ts');

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'boolean' } } });
const [batches, rounds, warmUp] = values.quick ? [5, 10, 500] : [40, 40, 10_000];
/** The number of requests in a block, which takes about a millisecond. */
const requests = 20;

const cases: Readonly<Record<string, InjectOptions>> = {
  'GET of one': { method: 'GET', url: '/plain/7' },
  'POST with a body': { method: 'POST', url: '/plain', payload: { name: 'a thing', count: 3 } },
  'GET of a list': { method: 'GET', url: '/list?limit=10' },
};

/** The median batch in µs per request, and the bounds that contain it with 95 % confidence. */
interface Row {
  readonly case: string;
  readonly subject: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly unit: string;
}

const programs = new Map<string, Program>();
for (const [name, plan] of Object.entries(plans)) programs.set(name, await openProgram(plan));
try {
  const rows: Row[] = [];
  for (const [name, request] of Object.entries(cases)) rows.push(...(await compare(name, request)));
  rows.push(errorRow());
  process.stdout.write(values.json ? `${JSON.stringify(rows)}\n` : `${rows.map(lineOf).join('\n')}\n`);
} finally {
  for (const program of programs.values()) await program.close();
}

/** Compares each program with the program without features. */
async function compare(name: string, request: InjectOptions): Promise<Row[]> {
  const subjects = [...programs];
  const replies = await Promise.all(subjects.map(([, { server }]) => answerOf(server.inject(request))));
  for (const reply of replies) deepEqual(reply, replies[0]);
  for (const [, program] of subjects) await timeOf(program, request, warmUp);
  const times: number[][] = [];
  for (let batch = 0; batch < batches; batch++) times.push(await timesOf(request));
  const base = times.map(([first]) => first ?? Number.NaN);
  return subjects.map(([subject], at): Row => {
    if (at === 0) return { case: name, subject, ...summaryOf(base), unit: 'µs a request' };
    const differences = times.map((batch, index) => (batch[at] ?? Number.NaN) - (base[index] ?? Number.NaN));
    return { case: name, subject, ...summaryOf(differences), unit: 'µs more' };
  });
}

/** Returns the time of each program in a batch. Every round measures each program once, and starts with a different program. */
async function timesOf(request: InjectOptions): Promise<number[]> {
  const subjects = [...programs.values()];
  const blocks = subjects.map((): number[] => []);
  for (let round = 0; round < rounds; round++)
    for (let step = 0; step < subjects.length; step++) {
      const at = (step + round) % subjects.length;
      const program = subjects[at];
      if (program) blocks[at]?.push(await timeOf(program, request, requests));
    }
  return blocks.map(
    (own) => own.toSorted((left, right) => left - right)[Math.floor(rounds / 5)] ?? Number.NaN,
  );
}

async function answerOf(reply: Promise<{ statusCode: number; body: string }>): Promise<object> {
  const { statusCode, body } = await reply;
  if (statusCode >= 400) throw new Error(`${statusCode}: ${body}`);
  return { statusCode, body };
}

/** Returns microseconds per request. */
async function timeOf({ server }: Program, request: InjectOptions, count: number): Promise<number> {
  const begun = performance.now();
  for (let n = 0; n < count; n++) await server.inject(request);
  return ((performance.now() - begun) * 1000) / count;
}

/**
 * Measures the additional cost of an error, which checks whether its client prefers a problem. The cost is measured alone,
 * because every program has problems.
 */
function errorRow(): Row {
  const calls = 10_000;
  let preferred = 0;
  const times = Array.from({ length: batches * 5 }, () => {
    const begun = performance.now();
    for (let n = 0; n < calls; n++) if (prefersProblem('application/json, */*')) preferred++;
    return ((performance.now() - begun) * 1000) / calls;
  });
  if (preferred > 0) throw new Error('the header prefers no problem');
  return { case: 'an error', subject: 'problems', ...summaryOf(times), unit: 'µs more' };
}

function summaryOf(samples: readonly number[]): Pick<Row, 'value' | 'low' | 'high'> {
  const sorted = samples.toSorted((left, right) => left - right);
  const margin = 0.98 * Math.sqrt(sorted.length);
  const at = (index: number) =>
    sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(index)))] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return { value: at(middle), low: at(middle - margin), high: at(middle + margin) };
}

function lineOf({ case: name, subject, value, low, high, unit }: Row): string {
  const [shown, from, to] = [value, low, high].map((figure) => figure.toFixed(2));
  return `${name.padEnd(18)}${subject.padEnd(18)}${shown} ${unit} (${from} to ${to})`;
}
