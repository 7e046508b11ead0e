import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inject, type TestContext } from 'vitest';
import { buildServers } from '../../benchmarks/http/build.mts';
import { secret as peerSecret, startServer } from '../../benchmarks/http/server.mts';
import { makeToken } from '../../benchmarks/http/routes.mts';
import { attackAddresses } from '../../tools/attack/target/addresses.mts';
import { isFatal, type Result, tableOf } from '../../tools/attack/target/results.mts';
import { attack, type Plan, type Service } from '../../tools/attack/run.mts';
import { IdentityProvider } from '../../tools/attack/wire/identity-provider.mts';
import { startPrograms } from '../../tools/attack/workspace-programs.mts';
import type { Instruction } from '../attack/faulty-service.mts';
import type { Build } from './builds.setup.mts';

const builds: readonly Build[] = inject('builds');
const effort = {
  periodMs: 500,
  connections: 16,
  slowConnections: 400,
  longestWaitMs: 0,
  unnoticedMs: 250,
  tries: 1,
};
/** For services that must pass: a slow machine is not a fault. */
const patient = { ...effort, unnoticedMs: 5000, tries: 3 };
let addresses: readonly string[] = [];
beforeAll(async () => {
  addresses = await attackAddresses('http://127.0.0.1');
});

/** The token secret of the faulty service. */
const faultySecret = 'a secret of a faulty service, for one test';

/** Registers what a test ends with; the last registered ends first. */
type OnFinished = TestContext['onTestFinished'];

function namesOf(results: readonly Result[], outcome: Result['outcome']): string[] {
  return results.filter((result) => result.outcome === outcome).map(({ area, check }) => `${area}: ${check}`);
}

/** Every fault, and the check that reports it. */
const faults = [
  ['answers', 'fair shares: lists of large rows'],
  ['unread', 'connections: unread answers'],
  ['raw-upgrades', 'connections: upgraded connections'],
  ['h2c', 'connections: upgraded connections'],
  ['kept-requests', 'connections: many requests on one connection'],
  ['slow-bodies', 'connections: bodies that do not arrive'],
  ['hashing', 'fair shares: a flood of sign-ups'],
  ['hashing', 'fair shares: a flood of sign-ins'],
  ['lockout', 'fair shares: an account locked by others'],
  ['deep-pages', 'fair shares: deep pages'],
  ['refreshes', 'fair shares: refreshes without an end'],
  ['probes', 'leaks: every request is in the log'],
  ['lost-413', 'sizes: large bodies get an answer'],
  ['transfer-coding', 'sizes: headers, targets and framing'],
  ['reflection', 'sizes: a host of the caller’s own is not sent back'],
  ['large-ids', 'input: ids that a number cannot hold'],
  ['numbers', 'input: each rule of a body, one step outside'],
  ['spellings', 'authentication: faulty tokens'],
  ['welcome-forged', 'authentication: faulty tokens'],
  ['used-codes', 'ways to sign in: codes of an application that were used'],
  ['recovery-codes', 'ways to sign in: recovery codes that were used'],
  ['mfa-bearer', 'ways to sign in: the token between two factors'],
  ['mfa-twice', 'ways to sign in: the token between two factors'],
  ['mfa-kept', 'ways to sign in: the token between two factors'],
  ['factors-of-anyone', 'ways to sign in: the token between two factors'],
  ['mfa-late', 'ways to sign in: a second factor that comes late'],
  ['codes-of-any-client', 'ways to sign in: codes by mail'],
  ['code-tries', 'ways to sign in: codes by mail'],
  ['codes-twice', 'ways to sign in: codes by mail'],
  ['challenges-twice', 'ways to sign in: signatures of passkeys'],
  ['signatures', 'ways to sign in: signatures of passkeys'],
  ['passkey-origins', 'ways to sign in: signatures of passkeys'],
  ['unverified-users', 'ways to sign in: signatures of passkeys'],
  ['passkey-handles', 'ways to sign in: signatures of passkeys'],
  ['passkey-counters', 'ways to sign in: signatures of passkeys'],
  ['passkey-ends', 'ways to sign in: signatures of passkeys'],
  ['passkey-owners', 'ways to sign in: passkeys as second factor'],
  ['passkey-purposes', 'ways to sign in: passkeys as second factor'],
  ['passkey-names', 'ways to sign in: enrolment of passkeys'],
  ['passkey-members', 'ways to sign in: enrolment of passkeys'],
  ['passkey-frames', 'ways to sign in: enrolment of passkeys'],
  ['enrolled-unverified', 'ways to sign in: enrolment of passkeys'],
  ['authorizations-twice', 'ways to sign in: identity providers'],
  ['authorizations-of-any-client', 'ways to sign in: identity providers'],
  ['codes-of-other-clients', 'ways to sign in: identity providers'],
  ['mixed-providers', 'ways to sign in: identity providers'],
  ['authorization-purposes', 'ways to sign in: identity providers'],
  ['unproven-codes', 'ways to sign in: identity providers'],
  ['audiences', 'ways to sign in: the token between two factors'],
  ['audiences', 'ways to sign in: codes by mail'],
  ['audiences', 'ways to sign in: signatures of passkeys'],
  ['audiences', 'ways to sign in: identity providers'],
  ['cookie-attributes', 'ways to sign in: attributes of session cookies'],
  ['cookie-callers', 'ways to sign in: attributes of session cookies'],
  ['cookie-logins', 'ways to sign in: sign-ins by foreign pages'],
  ['cookie-siblings', 'ways to sign in: sign-ins by foreign pages'],
  ['cookie-siblings', 'ways to sign in: refreshes by foreign pages'],
  ['cookie-refreshes', 'ways to sign in: refreshes by foreign pages'],
  ['tossed-cookies', 'ways to sign in: planted session cookies'],
  ['insecure-cookies', 'ways to sign in: planted session cookies'],
  ['claims', 'ways to sign in: claims of identity providers'],
  ['similar-emails', 'ways to sign in: e-mails of identity providers'],
  ['early-tokens', 'ways to sign in: access tokens of a trusted issuer'],
  ['kept-links', 'ways to sign in: access tokens of a trusted issuer'],
  ['bound-tokens', 'ways to sign in: access tokens of a trusted issuer'],
  ['issuer-enrolments', 'ways to sign in: access tokens of a trusted issuer'],
  ['issuer-factors', 'ways to sign in: access tokens of a trusted issuer'],
  ['waiting', 'fair shares: a third party that does not respond'],
  ['introspected-secrets', 'credentials: secrets of its own at an issuer'],
  ['completions', 'accounts: sign-ins that nobody began'],
  ['enrolments', 'accounts: enrolments that nobody confirms'],
  ['images', 'accounts: enrolments that nobody confirms'],
  ['reserved-emails', 'accounts: an e-mail that its former owner may get back'],
  ['last-factors', 'ways to sign in: the last way to sign in'],
  ['rate-subjects', 'credentials: an address with the name of an account'],
  ['others-values', 'authorization: another’s values'],
  ['reuse', 'authentication: a refresh token before the last'],
  ['stale-sign-in', 'credentials: a sign-in of long ago'],
  ['late-sign-out', 'credentials: what an ended sign-in makes'],
  ['clock', 'authentication: an expired token after the clock was set back'],
  ['hidden-emails', 'input: e-mails with control characters'],
  ['logged-keys', 'leaks: tokens and keys in a path'],
  ['log-storm', 'leaks: log lines of refused requests'],
  ['any-file', 'uploads: files of another type'],
  ['polyglots', 'uploads: files that are two things'],
  ['unread-files', 'uploads: unread downloads'],
  ['crowd', 'fair shares: many accounts at one address'],
  ['public-accounts', 'accounts: accounts without a token'],
  ['removed-account', 'accounts: an account removed while its requests run'],
  ['kept-sessions', 'accounts: sessions after a changed password'],
  ['reset-keeps', 'accounts: sessions after a reset password'],
  ['reset-passkeys', 'accounts: passkeys after a reset password'],
  ['code-passkeys', 'accounts: passkeys after a code by mail'],
  ['guesses', 'accounts: guessed passwords'],
  ['resets', 'accounts: requested mails'],
  ['stale-keys', 'credentials: a sign-in of long ago'],
  ['stale-passkeys', 'credentials: a sign-in of long ago'],
  ['key-limits', 'credentials: several keys of one account'],
  ['others-keys', 'authorization: another’s ids'],
  ['others-notes', 'authorization: another’s ids'],
  ['posted-host', 'sizes: a host of the caller’s own is not sent back'],
] as const;

type Fault = (typeof faults)[number];

/** Decides whether the check for a fault measures durations or memory. */
function isMeasured([, check]: Fault): boolean {
  return /^(connections|fair shares|uploads): /.test(check);
}

describe('the attack', () => {
  async function reports([fault, check]: Fault, { expect, onTestFinished }: TestContext): Promise<void> {
    const results = await attack(await startFaulty([fault], onTestFinished), { effort, only: [check] });
    expect(namesOf(results, 'FAIL')).toEqual([check]);
    expect(results[0]?.failures[0]?.problem).not.toBe('');
  }
  it.for(faults.filter(isMeasured))('reports the fault %s: %s', reports);
  // At once: much of the time a check waits, and each fault has a service of its own.
  it.concurrent.for(faults.filter((fault) => !isMeasured(fault)))('reports the fault %s: %s', reports);

  it('reports none of them in the same service without a fault', async ({ onTestFinished }) => {
    const plan: Plan = { effort: patient, only: faults.map(([, check]) => check) };
    const results = await attack(await startFaulty([], onTestFinished), plan);
    expect(results.flatMap(({ failures }) => failures)).toEqual([]);
    expect(namesOf(results, 'SKIP')).toEqual([]);
  });

  it('skips a check, and says why, if a resource of the service cannot be made', async ({
    onTestFinished,
  }) => {
    const only = ['another’s ids', 'each rule of a body'];
    const results = await attack(await startFaulty(['unmade'], onTestFinished), { effort, only });
    expect(results.map(({ outcome, lacks }) => [outcome, ...lacks])).toEqual([
      ['SKIP', 'POST /projects made no id for other: it answered 404'],
      ['SKIP', 'POST /projects answers 404 whatever its body is'],
    ]);
    expect(results.map((result) => isFatal(result, ['authorization']))).toEqual([false, true]);
  });

  it('fails on NestJS as documented', async ({ onTestFinished }) => {
    const results = await attack(await startStockNest(onTestFinished), {
      effort,
      only: ['authentication', 'input', 'sizes', 'deep pages'],
    });
    expect(namesOf(results, 'FAIL')).toEqual(
      expect.arrayContaining([
        'authentication: faulty tokens',
        'sizes: depth, members and numbers of a body',
        'sizes: bodies that are not JSON',
        'fair shares: deep pages',
      ]),
    );
  });

  it('passes on the applications of the workspace', async ({ onTestFinished }) => {
    const programs = await startPrograms(builds[0]?.workspace ?? '', ['api', 'admin'], addresses);
    onTestFinished(() => programs.stop());
    // At once: much of the time a check waits, and each program has accounts of its own.
    const attacked = [...programs.services.values()].map((service) =>
      attack(service, { effort: patient, only: [] }),
    );
    const results = (await Promise.all(attacked)).flat();
    const fatal = results.filter((result) => isFatal(result, []));
    expect(fatal.length === 0 ? '' : tableOf(fatal)).toBe('');
  }, 600_000);
});

async function startFaulty(chosen: readonly string[], onFinished: OnFinished): Promise<Service> {
  const providers = await Promise.all(['acme', 'other'].map((name) => IdentityProvider.start(name)));
  for (const provider of providers) onFinished(() => provider.stop());
  const { url, second, elsewhere, lines, order } = await runFaulty(chosen, providers, onFinished);
  const account = (name: string) => `${name}@example.com:a password of a test`;
  return {
    url,
    document: { path: '/openapi.json' },
    accounts: { user: account('user'), other: account('other'), admin: account('admin') },
    log: { size: () => lines.join('\n').length, after: (bytes) => lines.join('\n').slice(bytes) },
    addresses,
    secret: faultySecret,
    gateways: ['/stream'],
    mailsTo: async (address) => {
      // A response may be here before the line of a mail that was sent before it.
      await order();
      return tokensIn(lines, address);
    },
    recordsFrom: async (address) => {
      await order();
      return lines.filter((line) => line === `record ${address}`).length;
    },
    startSecond: () => Promise.resolve({ url: second, stop: () => Promise.resolve() }),
    elsewhere: () => elsewhere,
    startWithClock: async (aheadMs) => {
      await order(aheadMs / 1000);
      return { url, stop: () => order(0) };
    },
    providers,
  };
}

/** Tokens of mails, the last first. */
function tokensIn(lines: readonly string[], address: string): string[] {
  const start = `mail to ${address}: `;
  return lines.flatMap((line) => (line.startsWith(start) ? line.slice(start.length) : [])).toReversed();
}

async function runFaulty(
  chosen: readonly string[],
  providers: readonly IdentityProvider[],
  onFinished: OnFinished,
) {
  const file = join(__dirname, '../attack/faulty-service.mts');
  const flags = [
    ...chosen.flatMap((fault) => ['--fault', fault]),
    ...providers.flatMap(({ name, issuer }) => ['--provider', `${name}=${issuer}`]),
  ];
  const child = spawn(process.execPath, ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', file, ...flags], {
    env: { ...process.env, NODE_COMPILE_CACHE: join(__dirname, '../../node_modules/.cache/node') },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  onFinished(stop);
  if (child.stdout === null) throw new TypeError('its output is a pipe');
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const [line = '']: string[] = await once(output, 'line');
  const [url = '', second = '', elsewhere = ''] = line.split(' ');
  let orders = 0;
  const order = async (seconds?: number) => {
    orders += 1;
    const sent: Instruction = { id: orders, seconds };
    child.send(sent);
    while (!lines.includes(`done ${sent.id}`)) await once(output, 'line');
  };
  return { url, second, elsewhere, lines, order };
}

async function startStockNest(onFinished: OnFinished): Promise<Service> {
  const subject = { name: 'NestJS on Fastify, as documented', entry: 'peers/nest-fastify' };
  const server = await startServer(
    subject,
    await buildServers(join(__dirname, '../../benchmarks/http'), [subject.entry]),
  );
  onFinished(() => server.stop());
  const caller = `Bearer ${makeToken(peerSecret)}`;
  return {
    url: server.url,
    document: { text: await readFile(join(__dirname, '../attack/stock-nest.openapi.json'), 'utf8') },
    accounts: { user: caller, other: caller, admin: caller },
    secret: peerSecret,
    addresses,
  };
}
