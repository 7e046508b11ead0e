import { nameOf, isPublic, namesThing } from '../openapi/openapi.mts';
import { takesObject } from '../openapi/outside.mts';
import { atOnce } from '../target/at-once.mts';
import { openRaw, statusIn } from '../wire/raw.mts';
import { endsOwnSession, headersFor, validBody, permittedRequest } from '../target/requests.mts';
import { check, type Check } from '../target/target.mts';
import type { Attempt } from '../wire/exchange.mts';
import { isRefusal } from '../target/results.mts';

const area = 'sizes';
const KB = 1024;

/** A response to any refused request is not larger than this. */
const maxRefusal = 64 * KB;

/** Checks that a body that is too large is refused with a response that arrives instead of a connection reset. */
const largeBodies = check(area, 'large bodies get an answer', async (target, findings) => {
  const [from] = target.addresses;
  for (const operation of target.operations.filter(takesObject)) {
    const request = await permittedRequest(operation, target, { body: {} });
    if (request === undefined) continue;
    const sizes = isPublic(operation) ? [200, 700, 700, 700, 1500, 1500, 4000] : [200, 1500];
    await Promise.all(
      sizes.map(async (size) => {
        const attempt = { ...request, body: `{"surplus":"${'a'.repeat(size * KB)}"}`, from };
        const { status, text } = await target.wire.send(attempt);
        const problem = `${nameOf(operation)} answers ${status || text} to a body of ${attempt.body.length} bytes`;
        findings.expect(isRefusal(status), problem, attempt);
      }),
    );
  }
});

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

/** Checks that small but costly bodies are refused with a short response. */
const jsonBodies = check(area, 'depth, members and numbers of a body', async (target, findings) => {
  for (const operation of target.operations.filter(takesObject)) {
    const request = await permittedRequest(operation, target, { body: {} });
    if (request === undefined) continue;
    await atOnce(bodies, async ([title, make]) => {
      const attempt = { ...request, body: make(), from: target.addresses[0] };
      const { status, text } = await target.wire.send(attempt);
      const holds = isRefusal(status) || (title === 'an empty body' && status < 300);
      findings.expect(holds, `${nameOf(operation)} answers ${status || text} to ${title}`, attempt);
      const problem = `${nameOf(operation)} answers ${title} with ${text.length} bytes`;
      findings.expect(text.length <= maxRefusal, problem, attempt);
    });
  }
});

/** Checks that the service does not read body formats other than JSON unless the document names them. */
const mediaTypes = check(area, 'bodies that are not JSON', async (target, findings) => {
  for (const operation of target.operations.filter(takesObject)) {
    const valid = validBody(operation);
    const request = await permittedRequest(operation, target, { body: valid });
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
      await findings.answers(attempt, isRefusal, nameOf(operation), `to a body of ${type}`);
    }
  }
});

/** The header fields and targets that are too large, and framing that two readers may understand differently. */
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

const framing = check(area, 'headers, targets and framing', async ({ wire: { url } }, findings) => {
  for (const [title, head, allowed] of heads) {
    const connection = openRaw(url);
    connection.socket.write(head);
    const status = statusIn(await connection.until(/\r\n\r\n/, 5000));
    connection.close();
    const shown: Attempt = { method: 'GET', path: '/', headers: {}, body: head.slice(0, 150) };
    findings.expect(allowed.includes(status), `${title} is answered ${status || 'by nothing'}`, shown);
  }
});

/** Checks that a host that a caller names does not come back in a header or a body, where a cache or a mail would use it. */
const hostReflection = check(
  area,
  'a host of the caller’s own is not sent back',
  async (target, findings) => {
    const host = 'attack.invalid';
    const { url } = target.wire;
    for (const operation of target.operations.filter(
      (candidate) => candidate.method === 'GET' && !namesThing(candidate),
    )) {
      const headers = await headersFor(operation, target);
      if (headers === undefined) continue;
      const path = target.wire.at(operation.path);
      for (const start of [
        `http://${host}${path} HTTP/1.1\r\nhost: ${url.host}`,
        `${path} HTTP/1.1\r\nhost: ${host}`,
      ]) {
        const authorization = headers.authorization ? `authorization: ${headers.authorization}\r\n` : '';
        const connection = openRaw(url);
        connection.socket.write(`GET ${start}\r\n${authorization}connection: close\r\n\r\n`);
        const text = await connection.untilEnd(5000);
        connection.close();
        const problem = `${nameOf(operation)} sends back the host of its request line or Host field`;
        const shown = { method: 'GET', path: operation.path, headers: { host } };
        findings.expect(!text.includes(host), problem, shown);
      }
    }
    for (const operation of target.operations.filter(({ method }) => !['GET', 'DELETE'].includes(method))) {
      const attempt = await permittedRequest(operation, target, { headers: { host } });
      if (attempt === undefined || endsOwnSession(operation)) continue;
      const { text, headers } = await target.wire.send(attempt);
      const isReflected = `${JSON.stringify(headers)}${text}`.includes(host);
      findings.expect(!isReflected, `${nameOf(operation)} sends back the host of its Host field`, attempt);
    }
  },
);

export const sizes: readonly Check[] = [largeBodies, jsonBodies, mediaTypes, framing, hostReflection];
