import { randomUUID } from 'node:crypto';
import { has, nameOf, type Operation } from '../openapi/openapi.mts';
import { makeAccount } from '../target/accounts.mts';
import { unusedAddress } from '../target/addresses.mts';
import { atOnce } from '../target/at-once.mts';
import { parametersIn } from '../target/members.mts';
import { requestOf } from '../target/requests.mts';
import { isNoServerError } from '../target/results.mts';
import { check, type Check, type Target } from '../target/target.mts';
import { findPasskeys } from '../ways/passkeys.mts';
import { findSecondFactor } from '../ways/second-factors.mts';
import type { Attempt } from '../wire/exchange.mts';

const area = 'accounts';

/** The number of requests from an address or an account. */
const tries = 400;
/** The number of records that the requests from a single address may add. */
const maxRecords = 320;
const enrolments = 100;

/** Checks that anonymous callers can add only a limited number of records by completing sign-ins that were never begun. */
const completions = check(area, 'sign-ins that nobody began', async (target, findings) => {
  const { wire, recordsFrom } = target;
  const from = unusedAddress(target.addresses);
  if (!recordsFrom || from === undefined) return findings.note('needs the records of the service');
  for (const operation of target.operations.filter(completesSignIn)) {
    const before = await recordsFrom(from);
    const make = () => ({ ...hostile(operation, target), from });
    const statuses = new Set<number>();
    await atOnce(Array(tries), async () => statuses.add((await wire.send(make())).status));
    const added = (await recordsFrom(from)) - before;
    const failed = [...statuses].find((status) => !isNoServerError(status));
    findings.expect(failed === undefined, `${nameOf(operation)} answers ${failed}`, make());
    const problem = `${nameOf(operation)} adds ${added} records for ${tries} requests of one address`;
    findings.expect(added <= maxRecords, problem, make());
  }
  if (findings.cases === 0) findings.note('no sign-in has two steps');
});

/** Whether an operation takes a proof that an earlier request has asked for. */
function completesSignIn({ method, body, security, answer }: Operation): boolean {
  const isOpen = method === 'POST' && security.length === 0;
  const takesProof = has(body, /^(?:code|credential)$/) !== undefined;
  return isOpen && takesProof && has(answer, /access_?token/i) !== undefined;
}

function hostile(operation: Operation, { providers }: Target): Attempt {
  const [parameter = ''] = parametersIn(operation.path);
  const members = Object.keys(operation.body?.properties ?? {}).filter((name) =>
    operation.body?.required?.includes(name),
  );
  const valueOf = (name: string) => {
    if (name === 'credential') return { id: 'a', type: 'public-key', response: {} };
    if (name === 'factor') return 'totp';
    return name === 'code' && has(operation.body, /^nonce$/) ? '123456' : randomUUID();
  };
  const code = has(operation.body, /_token$/) ? { code: '123456' } : {};
  const body = { ...Object.fromEntries(members.map((name) => [name, valueOf(name)])), ...code };
  const path = { [parameter]: providers[0]?.name ?? 'nobody' };
  return requestOf(operation, { path, body }) ?? { method: operation.method, path: operation.path };
}

/** Checks that unconfirmed enrolments are limited for an account, and that an image is drawn on request only. */
const unfinished = check(area, 'enrolments that nobody confirms', async (target, findings) => {
  const application = findSecondFactor(target)?.enrol;
  const operations = [application, findPasskeys(target.operations)?.enrol].flatMap(
    (candidate) => candidate ?? [],
  );
  if (operations.length === 0) return findings.note('no route enrols a factor');
  const owner = await makeAccount(target, unusedAddress(target.addresses));
  for (const operation of operations) {
    const headers = await owner.headers();
    const takesBody = operation.body !== undefined;
    const attempt = requestOf(operation, { headers, ...(takesBody && { body: {} }) });
    if (!attempt) continue;
    if (operation === application) {
      const { text } = await target.wire.send(attempt);
      const hasImage = /"qr"\s*:\s*"/.test(text);
      findings.expect(!hasImage, `${nameOf(operation)} draws an image that nobody asked for`, attempt);
    }
    await expectLimit(target, enrolments, operation, () => attempt);
  }
});

async function expectLimit(
  { wire, findings }: Target,
  count: number,
  operation: Operation,
  make: () => Attempt,
): Promise<void> {
  const statuses: number[] = [];
  await atOnce(Array(count), async () => {
    if (!statuses.includes(429)) statuses.push((await wire.send(make())).status);
  });
  const last = statuses.at(-1);
  const problem = `${nameOf(operation)} answers ${count} requests of one caller, the last with ${last}`;
  findings.expect(statuses.includes(429), problem, make());
  const failed = statuses.find((status) => !isNoServerError(status));
  findings.expect(failed === undefined, `${nameOf(operation)} answers ${failed}`, make());
}

/** The checks that run last, because each refused request counts for its address. */
export const endless: readonly Check[] = [completions, unfinished];
