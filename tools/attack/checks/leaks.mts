import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { nameOf, namesThing, type Operation, isPublic } from '../openapi/openapi.mts';
import { takesObject } from '../openapi/outside.mts';
import { atOnce } from '../target/at-once.mts';
import { validBody, permittedRequest } from '../target/requests.mts';
import type { ServiceLog } from '../target/service-log.mts';
import { settled } from '../target/settled.mts';
import { check, type Check, type Target } from '../target/target.mts';
import { type Attempt, jsonTo } from '../wire/exchange.mts';

/** A refused request writes less to the log than this, in bytes. */
const maxLogged = 1500;
const refusals = 200;

/** Checks that the responses and log lines of the whole attack are free from secrets, stacks, paths and database messages. */
const leaks = check('leaks', 'answers and log', async ({ wire, log }, findings) => {
  if (log) wire.watch.lookAtLog(log.after(0));
  else findings.note('the log was not searched: name its file with --log');
  findings.cases = wire.sent;
  for (const { what, excerpt, attempt } of wire.watch.leaks)
    findings.expect(false, `${what}: ${excerpt}`, attempt);
});

/** Checks that a path that only begins like a health route is logged as usual. */
const probeLookAlikes = check('leaks', 'every request is in the log', async (target, findings) => {
  const { wire, log, operations } = target;
  const probe = operations.find(
    ({ method, path }) => method === 'GET' && /health|live|ready|status/.test(path),
  );
  if (!log || !probe) return findings.note('needs --log and a health route');
  for (const suffix of ['care/records', 'x', '/../nowhere']) {
    const attempt: Attempt = { method: 'GET', path: `${probe.path}${suffix}-${Date.now()}` };
    const before = log.size();
    const { headers } = await wire.send(attempt);
    const id = String(headers['x-request-id'] ?? attempt.path);
    findings.expect(await appears(log, before, id), `GET ${attempt.path} is not in the log`, attempt);
  }
});

/** Checks that tokens and keys that clients put into paths and queries by mistake do not stay in the log. */
const keysInPaths = check('leaks', 'tokens and keys in a path', async ({ wire, log, callers }, findings) => {
  if (!log) return findings.note('needs --log');
  const keys = {
    'an access token': await callers.user.accessToken(),
    'a random key': `Aa1${randomBytes(32).toString('base64url')}`,
    'a random key in hexadecimal': `a1${randomBytes(32).toString('hex')}`,
  };
  for (const [what, key] of Object.entries(keys)) {
    const attempt: Attempt = { method: 'GET', path: `/attack-keys/${key}/of?key=${key}` };
    const before = log.size();
    const { headers } = await wire.send(attempt);
    // When its line is there, all earlier lines are there, too.
    await appears(log, before, String(headers['x-request-id'] ?? '/attack-keys/'));
    findings.expect(!log.after(before).includes(key), `${what} in a path is in the log`, attempt);
  }
});

/** Checks that refusals do not fill the disk. */
const logStorms = check('leaks', 'log lines of refused requests', async (target, findings) => {
  const { wire, log } = target;
  const [from] = target.addresses;
  if (!log) return findings.note('needs --log');
  for (const [title, attempt] of refusedRequests(target)) {
    const before = log.size();
    await Promise.all(Array.from({ length: refusals }, () => wire.send({ ...attempt, from })));
    await settled(() => log.size(), { stableMs: 700 });
    const each = (log.size() - before) / refusals;
    findings.note(`${title}: ${Math.round(each)} bytes`);
    const problem = `${title} writes ${Math.round(each)} bytes to the log each time`;
    findings.expect(each <= maxLogged, problem, attempt);
  }
});

function refusedRequests({ operations, signIn, callers }: Target): (readonly [string, Attempt])[] {
  const closed = operations.find(
    (operation) => operation.method === 'GET' && !isPublic(operation) && !namesThing(operation),
  );
  const takesBody = operations.find((operation) => takesObject(operation) && isPublic(operation));
  const stranger = { name: 'nobody@example.com', password: 'a wrong password' };
  const requests: (readonly [Operation | undefined, string, () => Attempt])[] = [
    [closed, 'without a token', () => ({ method: 'GET', path: closed?.path ?? '/' })],
    [
      takesBody,
      'with a wrong body',
      () => jsonTo(takesBody ?? { method: 'POST', path: '/' }, { surplus: 1 }),
    ],
    [signIn?.operation, 'under pressure', () => callers.user.signInAttempt(stranger)],
  ];
  return requests.flatMap(([operation, how, make]) =>
    operation ? [[`${nameOf(operation)} ${how}`, make()] as const] : [],
  );
}

async function appears(log: ServiceLog, before: number, text: string): Promise<boolean> {
  for (let tries = 0; tries < 8; tries += 1) {
    if (log.after(before).includes(text)) return true;
    await pause(100);
  }
  return false;
}

/** The CPU time that a caller can make the service spend, in milliseconds per request and microseconds per byte. */
const maxCost = { milliseconds: 100, microsecondsPerByte: 700 };
const repeated = 10;

const cost = check('cost', 'CPU time per hostile request and byte', async (target, findings) => {
  const { meter, wire, operations } = target;
  if (!meter) return findings.note('CPU time can be read for a program on this machine alone (Linux)');
  for (const operation of operations.filter(({ method }) => method === 'GET' || method === 'POST')) {
    const valid = await permittedRequest(operation, target, { body: validBody(operation) });
    if (!valid) continue;
    const attempts = [valid, { ...valid, body: valid.body && `{"a":[${'{"b":1},'.repeat(4000)}{}]}` }];
    for (const attempt of operation.body ? attempts : attempts.slice(0, 1)) {
      const before = meter.cpuMs();
      await atOnce(Array(repeated), () => wire.send({ ...attempt, from: target.addresses[4] }));
      const each = (meter.cpuMs() - before) / repeated;
      const bytes = attempt.path.length + (attempt.body?.length ?? 0) + 200;
      const perByte = (each * 1000) / bytes;
      findings.expect(
        each <= maxCost.milliseconds && perByte <= maxCost.microsecondsPerByte,
        `${nameOf(operation)} costs ${each.toFixed(1)} ms, ${perByte.toFixed(0)} µs a byte`,
        attempt,
      );
    }
  }
});

export const afterwards: readonly Check[] = [cost, probeLookAlikes, keysInPaths, logStorms, leaks];
