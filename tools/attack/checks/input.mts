import { nameOf, namesThing, type Operation } from '../openapi/openapi.mts';
import { outsideOf, outsideOfParameter, takesObject } from '../openapi/outside.mts';
import { atOnce } from '../target/at-once.mts';
import { type Changes, endsOwnSession, permittedRequest, validBody } from '../target/requests.mts';
import { type Findings, isRefusal, isNoServerError } from '../target/results.mts';
import { check, type Check, type Target } from '../target/target.mts';
import { makeOwnedThings } from '../target/things.mts';
import type { Answer, Attempt } from '../wire/exchange.mts';
import { parametersIn } from '../target/members.mts';

const area = 'input';

/** The statuses that say nothing about the input, because the caller was refused earlier. */
const inconclusive = new Set([401, 403, 429, 503]);

/** Responses of a route that has not come as far as its input. */
const beforeInput = new Set([...inconclusive, 404]);

/** Members that a caller must not set. The value is found again if a service takes it over. */
const marker = 'attack-marker';
const extras: readonly (readonly [string, string])[] = [
  ['an unknown member', `"surplus":"${marker}"`],
  ['a role', '"role":"admin"'],
  ['a flag', '"isAdmin":true'],
  ['an id', '"id":1'],
  ['an owner', '"userId":1,"ownerId":1,"accountId":1'],
  ['__proto__', '"__proto__":{"isAdmin":true}'],
  ['constructor', '"constructor":{"prototype":{"isAdmin":true}}'],
];

/** Checks that an undeclared member is refused. */
const massAssignment = check(area, 'members that are not declared', async (target, findings) => {
  for (const operation of target.operations.filter(takesObject)) {
    for (const [title, extra] of extras) {
      const valid = JSON.stringify(validBody(operation));
      if (valid === undefined || hasMember(operation, extra)) continue;
      const body = valid === '{}' ? `{${extra}}` : `${valid.slice(0, -1)},${extra}}`;
      const sent = await sendRaw(target, operation, body);
      if (sent === undefined || inconclusive.has(sent.answer.status)) continue;
      const { status, text } = sent.answer;
      const isClosed = operation.body?.additionalProperties === false;
      const holds = isClosed ? isRefusal(status) : status < 500 && !text.includes(marker);
      findings.expect(holds, `${nameOf(operation)} answers ${status} to ${title}`, sent.attempt);
    }
  }
});

/** Checks that each body rule, broken alone, is refused. */
const bodyRules = check(area, 'each rule of a body, one step outside', async (target, findings) => {
  for (const operation of target.operations) {
    if (operation.body === undefined || endsOwnSession(operation)) continue;
    const outside = outsideOf(operation.body, validBody(operation));
    const statusesBelow = async (changes?: Changes) => {
      const statuses = new Set<number>();
      await atOnce(outside, async ({ rule, value }) => {
        const sent = await sendRaw(target, operation, JSON.stringify(value), changes);
        if (sent === undefined) return;
        statuses.add(sent.answer.status);
        expectRefused(findings, operation, rule, sent);
      });
      return statuses;
    };
    let statuses = await statusesBelow();
    // Below a team, a stranger is told first that there is none.
    if (namesThing(operation) && statuses.has(404) && statuses.isSubsetOf(beforeInput)) {
      const things = await findings.unlessSkipped(() => makeOwnedThings(target, operation.path));
      if (things)
        statuses = await statusesBelow({ path: things.path, headers: await things.owner.headers() });
    }
    if (statuses.size > 0 && statuses.isSubsetOf(beforeInput))
      findings.lack(`${nameOf(operation)} answers ${[...statuses].join(', ')} whatever its body is`);
  }
});

/** Checks that each path or query rule, broken alone, is refused. */
const parameterRules = check(
  area,
  'each rule of a path and a query, one step outside',
  async (target, findings) => {
    for (const operation of target.operations.filter((candidate) => !endsOwnSession(candidate))) {
      for (const parameter of operation.parameters) {
        const { name, in: place } = parameter;
        if (place !== 'path' && place !== 'query') continue;
        for (const { rule, value } of outsideOfParameter(parameter)) {
          const attempt = await permittedRequest(operation, target, { [place]: { [name]: value } });
          if (!attempt) continue;
          const answer = await target.wire.send(attempt);
          expectRefused(findings, operation, `${name}: ${rule}`, { attempt, answer });
        }
      }
    }
  },
);

/** Checks that ids above 2^53 − 1 are not rounded to the ids of other rows. */
const largeIds = check(area, 'ids that a number cannot hold', async (target, findings) => {
  const byId = target.operations.filter(({ method, path }) => method === 'GET' && /\{[^}]*\}$/.test(path));
  for (const operation of byId) {
    const [name = ''] = parametersIn(operation.path).slice(-1);
    const { type = 'integer' } =
      operation.parameters.find((parameter) => parameter.name === name)?.schema ?? {};
    if (type !== 'integer' && type !== 'number') continue;
    for (const id of ['9007199254740993', '18446744073709551617', '1e300', '-9223372036854775809']) {
      const attempt = await permittedRequest(operation, target, { path: { [name]: id } });
      if (!attempt) continue;
      await findings.answers(attempt, [400, 404, 422], nameOf(operation), `to the id ${id}`);
    }
  }
});

/** The values that break parsers, stores and text functions. They must cause a client error in every place. */
const hostileTexts = [
  '\u0000',
  '\ud800',
  'a'.repeat(50_000),
  '%00',
  '../../etc/passwd',
  "' or 1=1 --",
  '{{7*7}}',
  '\u202e',
  '\u001b[2J\u009b2J\r',
  '🏴'.repeat(1000),
];

/** Parts that address validators accept, and that a terminal or a list obeys. */
const hiddenInEmails = ['"\u001b[2J\u0007"', 'a\u202eb'];

const emails = check(area, 'e-mails with control characters', async (target, findings) => {
  for (const operation of target.operations.filter(takesObject)) {
    for (const [name, schema] of Object.entries(operation.body?.properties ?? {})) {
      if (schema.format !== 'email') continue;
      for (const local of hiddenInEmails) {
        const sent = await sendRaw(target, operation, bodyWith(operation, name, `${local}@example.com`));
        if (sent) expectRefused(findings, operation, `${name}: ${JSON.stringify(local)}`, sent);
      }
    }
  }
});

const hostileNumbers = [1e300, -1e300, 2 ** 53, -0.5e-300];

const hostileValues = check(
  area,
  'hostile texts and numbers, without a server error',
  async (target, findings) => {
    for (const operation of target.operations.filter(
      (candidate) => takesObject(candidate) && !endsOwnSession(candidate),
    )) {
      for (const [name, { type }] of Object.entries(operation.body?.properties ?? {})) {
        const values = type === 'integer' || type === 'number' ? hostileNumbers : hostileTexts;
        await atOnce<string | number>(values, async (value) => {
          const sent = await sendRaw(target, operation, bodyWith(operation, name, value));
          if (!sent) return;
          const { status } = sent.answer;
          const problem = `${nameOf(operation)} answers ${status} to a hostile ${name}`;
          findings.expect(isNoServerError(status), problem, sent.attempt);
        });
      }
    }
  },
);

function bodyWith(operation: Operation, name: string, value: unknown): string {
  return JSON.stringify({ ...Object(validBody(operation)), [name]: value });
}

interface Sent {
  readonly attempt: Attempt;
  readonly answer: Answer;
}

async function sendRaw(
  target: Target,
  operation: Operation,
  body: string,
  changes?: Changes,
): Promise<Sent | undefined> {
  const request = await permittedRequest(operation, target, { ...changes, body: {} });
  if (request === undefined) return undefined;
  const [from] = operation.security.length === 0 ? target.addresses : [];
  const attempt = { ...request, body, from };
  return { attempt, answer: await target.wire.send(attempt) };
}

function expectRefused(
  findings: Findings,
  operation: Operation,
  rule: string,
  { attempt, answer }: Sent,
): void {
  if (inconclusive.has(answer.status)) return;
  const problem = `${nameOf(operation)} answers ${answer.status} to ${rule}`;
  findings.expect(isRefusal(answer.status), problem, attempt);
}

function hasMember({ body }: Operation, extra: string): boolean {
  return Object.keys(JSON.parse(`{${extra}}`)).some((name) => name in (body?.properties ?? {}));
}

export const input: readonly Check[] = [
  massAssignment,
  bodyRules,
  parameterRules,
  largeIds,
  emails,
  hostileValues,
];
