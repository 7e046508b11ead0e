import { nameOf, type Operation } from '../openapi/openapi.mts';
import { takesObject } from '../openapi/outside.mts';
import { atOnce } from '../target/at-once.mts';
import { openRaw, statusIn } from '../wire/raw.mts';
import { endsOwnSession, headersFor, requestOf, validBody } from '../target/requests.mts';
import type { Findings } from '../target/results.mts';
import type { Check, Target } from '../target/target.mts';
import type { Attempt } from '../wire/exchange.mts';

const area = 'sizes';
const KB = 1024;

/** A response to any refused request is not larger than this. */
const maxRefusal = 64 * KB;

/** A body that is too large is refused with a response that arrives, not with a reset of the connection. */
const largeBodies: Check = {
  area,
  name: 'large bodies get an answer',
  run: async (target, findings) => {
    const {
      wire,
      addresses: [from],
    } = target;
    for (const operation of target.operations.filter(takesObject)) {
      const headers = await headersFor(operation, target);
      const request = headers && requestOf(operation, { body: {}, headers });
      if (request === undefined) continue;
      const sizes = operation.security.length === 0 ? [200, 700, 700, 700, 1500, 1500, 4000] : [200, 1500];
      const attempts = sizes.map((size) => withBody(request, `{"surplus":"${'a'.repeat(size * KB)}"}`, from));
      const answers = await Promise.all(attempts.map((attempt) => wire.send(attempt)));
      answers.forEach(({ status, text }, at) => {
        const size = attempts[at]?.body?.length ?? 0;
        findings.expect(
          isRefusal(status),
          `${nameOf(operation)} answers ${status || text} to a body of ${size} bytes`,
          attempts[at],
        );
      });
    }
  },
};

const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const bodies: readonly (readonly [string, () => string])[] = [
  ['5,000 levels of objects', () => deep(5000)],
  ['5,000 levels of lists', () => `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  [
    '5,000 unknown members',
    () => JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, 1]))),
  ],
  ['one member 10,000 times', () => `{${'"a":1,'.repeat(9999)}"a":1}`],
  ['a list of 30,000 empty objects', () => `{"items":[${'{},'.repeat(29_999)}{}]}`],
  ['a number of 90,000 digits', () => `{"a":${'9'.repeat(90_000)}}`],
  ['half an object', () => '{"a":'],
  ['no JSON', () => 'a=b&c=d'],
  ['an empty body', () => ''],
  ['a text', () => '"text"'],
  ['null', () => 'null'],
];

/** Bodies that are small and costly are refused, in a short response. */
const jsonBodies: Check = {
  area,
  name: 'depth, members and numbers of a body',
  run: async (target, findings) => {
    for (const operation of target.operations.filter(takesObject)) {
      const headers = await headersFor(operation, target);
      const request = headers && requestOf(operation, { body: {}, headers });
      if (request === undefined) continue;
      await atOnce(bodies, async ([title, make]) => {
        const attempt = { ...request, body: make(), from: target.addresses[0] };
        const { status, text } = await target.wire.send(attempt);
        const isNothing = title === 'an empty body' && status < 300;
        findings.expect(
          isRefusal(status) || isNothing,
          `${nameOf(operation)} answers ${status || text} to ${title}`,
          attempt,
        );
        findings.expect(
          text.length <= maxRefusal,
          `${nameOf(operation)} answers ${title} with ${text.length} bytes`,
          attempt,
        );
      });
    }
  },
};

/** Other forms than JSON are not read where the document names none. */
const mediaTypes: Check = {
  area,
  name: 'bodies that are not JSON',
  run: async (target, findings) => {
    for (const operation of target.operations.filter(takesObject)) {
      const headers = await headersFor(operation, target);
      const valid = validBody(operation);
      const request = headers && requestOf(operation, { body: valid, headers });
      if (request === undefined) continue;
      const form = new URLSearchParams(
        Object.entries(Object(valid)).map(([name, value]) => [name, String(value)]),
      ).toString();
      const forms: readonly (readonly [string, string])[] = [
        ['application/x-www-form-urlencoded', form],
        ['text/plain', JSON.stringify(valid)],
        ['application/xml', '<a/>'],
        [
          'multipart/form-data; boundary=a',
          `--a\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--a--`,
        ],
      ];
      for (const [type, body] of forms) {
        const attempt = {
          ...request,
          headers: { ...request.headers, 'content-type': type },
          body,
          from: target.addresses[0],
        };
        const { status } = await target.wire.send(attempt);
        findings.expect(
          isRefusal(status),
          `${nameOf(operation)} answers ${status} to a body of ${type}`,
          attempt,
        );
      }
    }
  },
};

/** Header fields and targets that are too large, and framing that two readers may understand differently. */
const heads: readonly (readonly [string, string, readonly number[]])[] = [
  [
    'a header of 70 KB',
    `GET / HTTP/1.1\r\nhost: a\r\nx-large: ${'a'.repeat(70 * KB)}\r\n\r\n`,
    [400, 413, 431],
  ],
  [
    '3,000 header fields',
    `GET / HTTP/1.1\r\nhost: a\r\n${'a: b\r\n'.repeat(3000)}\r\n`,
    [200, 400, 404, 413, 431],
  ],
  ['a target of 70 KB', `GET /${'a'.repeat(70 * KB)} HTTP/1.1\r\nhost: a\r\n\r\n`, [400, 404, 414, 431]],
  ['a target that cannot be decoded', 'GET /%zz%ff HTTP/1.1\r\nhost: a\r\n\r\n', [400, 404]],
  ['two Host fields', 'GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n', [400]],
  [
    'a length and chunks',
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    [400],
  ],
  ['two lengths', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\ncontent-length: 5\r\n\r\n', [400]],
  [
    'a transfer coding beside chunked',
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    [400, 501],
  ],
  ['a line that is no HTTP', 'HELLO\r\n\r\n', [400, 0]],
];

const framing: Check = {
  area,
  name: 'headers, targets and framing',
  run: async ({ wire: { url } }, findings) => {
    for (const [title, head, allowed] of heads) {
      const connection = openRaw(url);
      connection.socket.write(head);
      const status = statusIn(await connection.until(/\r\n\r\n/, 5000));
      connection.close();
      const shown: Attempt = { method: 'GET', path: '/', headers: {}, body: head.slice(0, 150) };
      findings.expect(allowed.includes(status), `${title} is answered ${status || 'by nothing'}`, shown);
    }
  },
};

/** A host that a caller names does not come back in a header or a body, where a cache or a mail would take it over. */
const hostReflection: Check = {
  area,
  name: 'a host of the caller’s own is not sent back',
  run: async (target, findings) => {
    const lists = target.operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
    for (const operation of lists) {
      const headers = await headersFor(operation, target);
      if (headers === undefined) continue;
      const authorization = headers.authorization ? `authorization: ${headers.authorization}\r\n` : '';
      await expectNoReflection(
        target,
        findings,
        operation,
        `GET http://attack.invalid${target.wire.at(operation.path)} HTTP/1.1\r\nhost: ${target.wire.url.host}\r\n${authorization}connection: close\r\n\r\n`,
      );
      await expectNoReflection(
        target,
        findings,
        operation,
        `GET ${target.wire.at(operation.path)} HTTP/1.1\r\nhost: attack.invalid\r\n${authorization}connection: close\r\n\r\n`,
      );
    }
    for (const operation of target.operations.filter(({ method }) => !['GET', 'DELETE'].includes(method))) {
      const headers = await headersFor(operation, target);
      const attempt = headers && requestOf(operation, { headers: { ...headers, host: 'attack.invalid' } });
      if (attempt === undefined || endsOwnSession(operation)) continue;
      const { text, headers: sent } = await target.wire.send(attempt);
      const isReflected = `${JSON.stringify(sent)}${text}`.includes('attack.invalid');
      findings.expect(!isReflected, `${nameOf(operation)} sends back the host of its Host field`, attempt);
    }
  },
};

async function expectNoReflection(
  { wire: { url } }: Target,
  findings: Findings,
  operation: Operation,
  head: string,
): Promise<void> {
  const connection = openRaw(url);
  connection.socket.write(head);
  const text = await connection.untilEnd(5000);
  connection.close();
  const shown: Attempt = { method: 'GET', path: operation.path, headers: { host: 'attack.invalid' } };
  findings.expect(
    !text.includes('attack.invalid'),
    `${nameOf(operation)} sends back the host of its request line or Host field`,
    shown,
  );
}

function withBody(request: Attempt, body: string, from: string | undefined): Attempt {
  return { ...request, body, from };
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

export const sizes: readonly Check[] = [largeBodies, jsonBodies, mediaTypes, framing, hostReflection];
