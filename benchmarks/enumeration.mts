/**
 * Measures whether the time of a response reveals that an account exists. It tries every public route that takes a username a
 * thousand times with an existing account and a thousand times with an unknown account, in random turns. It uses the built `api`
 * on a free port and an empty folder, or on the database that `DATABASE_URL` names. Build first: `npm run build`.
 *
 * For each route it prints the quantiles, and how often the existing account is the slower half in a random pair. At 50 % the
 * times reveal nothing. It fails outside 45 to 55 %, or if statuses or bodies differ. `POST /users` is excluded because its
 * response says that an e-mail is taken.
 *
 * `--quick` tries a hundred times, with wider limits. `--json` writes rows `{case, subject, value, unit}`.
 */
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type Call, fromAnyAddress, type Reply, startBuiltApi } from './built-api.mts';

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'boolean' } } });
const tries = values.quick ? 100 : 1000;
/**
 * The tolerated deviation from half the pairs. With fewer tries it is four standard deviations in Mann and Whitney's statistic,
 * if that is more.
 */
const tolerance = Math.max(0.05, 4 * Math.sqrt((2 * tries + 1) / (12 * tries * tries)));
const existing = `somebody-${process.pid}@example.com`;
const quantiles = [0.05, 0.25, 0.5, 0.75, 0.95];

/** A request about a username. */
type Ask = (username: string) => Call;

const asks: Readonly<Record<string, Ask>> = {
  'POST /auth/login': (username) => withPassword('/auth/login', username),
  'POST /auth/sessions': (username) => withPassword('/auth/sessions', username),
  'POST /auth/password-resets': (username) => ({ path: '/auth/password-resets', body: { username } }),
  'POST /auth/email-codes': (username) => ({ path: '/auth/email-codes', body: { username } }),
};

/** Settings with unreachable limits. A limit would respond immediately and equally for every username. */
const unlimited = {
  SIGN_IN_FAILURES: '1000000',
  SIGN_IN_ADDRESS_LIMIT: 'off',
  PASSWORD_RESET_LIMIT: 'off',
  PASSWORD_RESET_ADDRESS_LIMIT: 'off',
  EMAIL_CODES: '1000000/1h',
};

const api = await startBuiltApi(unlimited);
try {
  await api.call({ path: '/users', body: { email: existing, password: 'a password of somebody' } });
  const [cpu] = cpus();
  const load = loadavg().map((number) => number.toFixed(1));
  write(`Node ${process.version}, ${cpus().length} × ${cpu?.model}, load ${load.join(' ')}`);
  const rows: object[] = [];
  for (const [route, ask] of Object.entries(asks)) rows.push(report(route, await measure(ask)));
  if (values.json) process.stdout.write(`${JSON.stringify(rows)}\n`);
} finally {
  await api.stop();
}

function withPassword(path: string, username: string): Call {
  return { path, body: { username, password: 'not the password' } };
}

/** The responses for an existing account and for unknown accounts. */
interface Measured {
  readonly with: readonly Reply[];
  readonly without: readonly Reply[];
}

async function measure(ask: Ask): Promise<Measured> {
  const [replies, others]: Reply[][] = [[], []];
  for (let n = 0; n < 10; n += 1) await send(ask(n % 2 === 0 ? existing : `nobody-${n}@example.com`));
  while (replies.length < tries || others.length < tries) {
    const isKnown = others.length >= tries || (replies.length < tries && Math.random() < 0.5);
    const reply = await send(ask(isKnown ? existing : `nobody${others.length}@example.com`));
    (isKnown ? replies : others).push(reply);
  }
  return { with: replies, without: others };
}

/** Sends each request from a different address. */
function send(call: Call): Promise<Reply> {
  return api.call({ ...call, headers: fromAnyAddress() });
}

/** Removes the nonce, which differs in each response. */
function withoutNonce(text: string): string {
  return text.replace(/(?<="nonce":")[^"]+/, '');
}

/** Prints a measurement and returns the row for `--json`. */
function report(route: string, measured: Measured): object {
  const share = shareOfSlower(times(measured.with), times(measured.without));
  const responses = new Set(
    [...measured.with, ...measured.without].map(({ status, text }) => `${status} ${withoutNonce(text)}`),
  );
  const isDistinguished = responses.size > 1 || Math.abs(share - 0.5) > tolerance;
  const percent = Number((share * 100).toFixed(1));
  write(
    `${route}: the one with an account is slower in ${percent} % of pairs${isDistinguished ? ': IT TELLS' : ''}`,
  );
  for (const side of ['with', 'without'] as const)
    write(`  ${side.padEnd(8)}${quantilesOf(times(measured[side])).join(' / ')} ms`);
  if (responses.size > 1) write(`  different responses: ${[...responses].join(', ')}`);
  if (isDistinguished) process.exitCode = 1;
  return { case: 'slower with an account', subject: route, value: percent, unit: '% of pairs' };
}

function write(line: string): void {
  if (!values.json) process.stdout.write(`${line}\n`);
}

function times(replies: readonly Reply[]): number[] {
  return replies.map(({ milliseconds }) => milliseconds).toSorted((left, right) => left - right);
}

function quantilesOf(sorted: readonly number[]): string[] {
  return quantiles.map((share) => (sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN).toFixed(1));
}

/**
 * Returns Mann and Whitney's statistic, which is the share of pairs in which the first value is greater. Both lists are sorted.
 */
function shareOfSlower(first: readonly number[], second: readonly number[]): number {
  let [below, greater] = [0, 0];
  for (const time of first) {
    while (below < second.length && second[below] < time) below += 1;
    greater += below;
  }
  return greater / (first.length * second.length);
}
