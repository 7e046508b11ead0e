import { nameOf, type Operation } from '../openapi/openapi.mts';
import { outsideOf, outsideOfParameter, takesObject } from '../openapi/outside.mts';
import { atOnce } from '../target/at-once.mts';
import { endsOwnSession, headersFor, requestOf, validBody } from '../target/requests.mts';
import type { Findings } from '../target/results.mts';
import type { Check, Target } from '../target/target.mts';
import type { Answer, Attempt } from '../wire/exchange.mts';

/** Responses that say nothing about the input: the caller was refused before. */
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

/** A member that is not declared is refused. */
const massAssignment: Check = {
  area: 'input',
  name: 'members that are not declared',
  run: async (target, findings) => {
    for (const operation of target.operations.filter(takesObject)) {
      for (const [title, extra] of extras) {
        const valid = JSON.stringify(validBody(operation));
        if (valid === undefined || hasMember(operation, extra)) continue;
        const body = valid === '{}' ? `{${extra}}` : `${valid.slice(0, -1)},${extra}}`;
        const sent = await sendRaw(target, operation, body);
        if (sent === undefined || inconclusive.has(sent.answer.status)) continue;
        const { status, text } = sent.answer;
        const isClosed = operation.body?.additionalProperties === false;
        const holds = isClosed ? isRefused(status) : status < 500 && !text.includes(marker);
        findings.expect(holds, `${nameOf(operation)} answers ${status} to ${title}`, sent.attempt);
      }
    }
  },
};

/** Each rule of a body, broken alone, is refused. */
const bodyRules: Check = {
  area: 'input',
  name: 'each rule of a body, one step outside',
  run: async (target, findings) => {
    for (const operation of target.operations) {
      if (operation.body === undefined || endsOwnSession(operation)) continue;
      const statuses = new Set<number>();
      await atOnce(outsideOf(operation.body, validBody(operation)), async ({ rule, value }) => {
        const sent = await sendRaw(target, operation, JSON.stringify(value));
        if (sent === undefined) return;
        statuses.add(sent.answer.status);
        expectRefused(findings, operation, rule, sent);
      });
      if (statuses.size > 0 && statuses.isSubsetOf(beforeInput))
        findings.lack(`${nameOf(operation)} answers ${[...statuses].join(', ')} whatever its body is`);
    }
  },
};

/** Each rule of a path or a query, broken alone, is refused. */
const parameterRules: Check = {
  area: 'input',
  name: 'each rule of a path and a query, one step outside',
  run: async (target, findings) => {
    for (const operation of target.operations.filter((one) => !endsOwnSession(one))) {
      const headers = await headersFor(operation, target);
      if (headers === undefined) continue;
      for (const parameter of operation.parameters.filter(
        ({ in: place }) => place === 'path' || place === 'query',
      )) {
        for (const { rule, value } of outsideOfParameter(parameter)) {
          const place = parameter.in === 'path' ? 'path' : 'query';
          const attempt = requestOf(operation, { [place]: { [parameter.name]: value }, headers });
          if (attempt)
            expectRefused(findings, operation, `${parameter.name}: ${rule}`, {
              attempt,
              answer: await target.wire.send(attempt),
            });
        }
      }
    }
  },
};

/** Ids above 2^53 − 1 are not rounded to those of other rows. */
const largeIds: Check = {
  area: 'input',
  name: 'ids that a number cannot hold',
  run: async (target, findings) => {
    const byId = target.operations.filter(({ method, path }) => method === 'GET' && /\{[^}]*\}$/.test(path));
    for (const operation of byId) {
      const headers = await headersFor(operation, target);
      const [, name = ''] = /\{([^}]*)\}$/.exec(operation.path) ?? [];
      const { schema } = operation.parameters.find((one) => one.name === name) ?? {};
      if (
        headers === undefined ||
        !(schema?.type === 'integer' || schema?.type === 'number' || schema?.type === undefined)
      )
        continue;
      for (const id of ['9007199254740993', '18446744073709551617', '1e300', '-9223372036854775809']) {
        const attempt = requestOf(operation, { path: { [name]: id }, headers });
        if (!attempt) continue;
        const { status } = await target.wire.send(attempt);
        findings.expect(
          [400, 404, 422].includes(status),
          `${nameOf(operation)} answers ${status} to the id ${id}`,
          attempt,
        );
      }
    }
  },
};

/** Values that break parsers, stores and text functions are a client error wherever they stand. */
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

/** What validators of addresses accept, and a terminal or a list obeys. */
const hiddenInEmails = ['"\u001b[2J\u0007"', 'a\u202eb'];

const emails: Check = {
  area: 'input',
  name: 'e-mails with control characters',
  run: async (target, findings) => {
    for (const operation of target.operations.filter(takesObject)) {
      for (const [name, schema] of Object.entries(operation.body?.properties ?? {})) {
        if (schema.format !== 'email') continue;
        for (const local of hiddenInEmails) {
          const body = { ...Object(validBody(operation)), [name]: `${local}@example.com` };
          const sent = await sendRaw(target, operation, JSON.stringify(body));
          if (sent) expectRefused(findings, operation, `${name}: ${JSON.stringify(local)}`, sent);
        }
      }
    }
  },
};

const hostileValues: Check = {
  area: 'input',
  name: 'hostile texts and numbers, without a server error',
  run: async (target, findings) => {
    for (const operation of target.operations.filter((one) => takesObject(one) && !endsOwnSession(one))) {
      for (const [name, schema] of Object.entries(operation.body?.properties ?? {})) {
        const values =
          schema.type === 'integer' || schema.type === 'number'
            ? [1e300, -1e300, 2 ** 53, -0.5e-300]
            : hostileTexts;
        await atOnce<string | number>(values, async (value) => {
          const body = { ...Object(validBody(operation)), [name]: value };
          const sent = await sendRaw(target, operation, JSON.stringify(body));
          if (sent)
            findings.expect(
              isNoServerError(sent.answer.status),
              `${nameOf(operation)} answers ${sent.answer.status} to a hostile ${name}`,
              sent.attempt,
            );
        });
      }
    }
  },
};

interface Sent {
  readonly attempt: Attempt;
  readonly answer: Answer;
}

async function sendRaw(target: Target, operation: Operation, body: string): Promise<Sent | undefined> {
  const headers = await headersFor(operation, target);
  const request = headers && requestOf(operation, { body: {}, headers });
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
  findings.expect(
    isRefused(answer.status),
    `${nameOf(operation)} answers ${answer.status} to ${rule}`,
    attempt,
  );
}

function isRefused(status: number): boolean {
  return status >= 400 && status < 500;
}

/** A refusal for want of capacity is none of the input. */
function isNoServerError(status: number): boolean {
  return (status > 0 && status < 500) || status === 503;
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
