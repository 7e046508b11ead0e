import type { OpenApiDocument } from '@app/contract';
import { accessTokenIn } from '../../attack/wire/answers.mts';
import { findSignIn } from '../../attack/target/callers.mts';
import { takesBearer, nameOf, type Operation, readOperations } from '../../attack/openapi/openapi.mts';
import { requestOf } from '../../attack/target/requests.mts';
import { type Attempt, jsonTo } from '../../attack/wire/exchange.mts';
import { Wire } from '../../attack/wire/wire.mts';

/** A running program, and who may do everything in it. */
export interface DescribedProgram {
  /** The URL that clients call, with the path prefix, as the program reports it when it listens. */
  readonly url: string;
  readonly administrator: { readonly username: string; readonly password: string };
}

/** The numbers of calls. */
export interface Calls {
  /** The number of called operations. */
  readonly called: number;
  /** The number of operations that were called with a sign-in token; 0 if the document has no sign-in route. */
  readonly signedIn: number;
  /** The number of operations that refused a body. */
  readonly refusedBodies: number;
}

/** Sends a request, compares its response with the document, and returns the text. Throws for a failure status. */
type Call = (
  operation: Operation,
  attempt: Attempt,
  isExpected: (status: number) => boolean,
) => Promise<string>;

/**
 * Calls the operations in a program's OpenAPI document and compares each response with it: public reads, requests without the
 * required credentials, invalid bodies, and, if the program has a sign-in route, administrator reads.
 *
 * @throws Error that names the first operation with an unexpected response
 */
export async function callDescribed({ url, administrator }: DescribedProgram): Promise<Calls> {
  const text = await (await fetch(`${url}/openapi.json`)).text();
  const document = JSON.parse(text);
  const wire = new Wire(new URL(url));
  try {
    const call = caller(wire, (await import('@app/contract/testing')).assertDescribed(document));
    const operations = readOperations(text).filter((operation) => !isEndless(document, operation));
    const read = await callOpen(operations, call);
    const closed = await callClosed(operations, call);
    const refusedBodies = await sendInvalid(operations, call);
    const signedIn = await callSignedIn(operations, call, administrator);
    return { called: read + closed, signedIn, refusedBodies };
  } finally {
    wire.close();
  }
}

function caller(
  wire: Wire,
  check: ReturnType<(typeof import('@app/contract/testing'))['assertDescribed']>,
): Call {
  return async (operation, attempt, isExpected) => {
    const { status, headers, text } = await wire.send(attempt);
    const contentType = headers['content-type'] ?? '';
    const { method, path } = attempt;
    check({ method, path, status, contentType, text, headers: Object.keys(headers) });
    if (!isExpected(status))
      throw new Error(`${nameOf(operation)} answered ${status}: ${text.slice(0, 200)}`);
    return text;
  };
}

/** Whether its response is a stream of events. */
function isEndless({ paths }: OpenApiDocument, { method, path }: Operation): boolean {
  const { responses = {} } = paths[path]?.[method.toLowerCase()] ?? {};
  return Object.values(Object(responses)).some(
    (response) => 'text/event-stream' in Object(Reflect.get(Object(response), 'content')),
  );
}

async function callOpen(operations: readonly Operation[], call: Call): Promise<number> {
  const open = operations.filter(({ method, security }) => method === 'GET' && security.length === 0);
  for (const operation of open) {
    const attempt = requestOf(operation);
    if (attempt) await call(operation, attempt, (status) => status > 0 && status < 500);
  }
  return open.length;
}

async function callClosed(operations: readonly Operation[], call: Call): Promise<number> {
  const closed = operations.filter(({ security }) => security.length > 0);
  for (const operation of closed) {
    const attempt = requestOf({ ...operation, body: undefined, upload: undefined });
    if (attempt) await call(operation, attempt, (status) => status === 401);
  }
  return closed.length;
}

/** Bodies with a member that no class declares. */
async function sendInvalid(operations: readonly Operation[], call: Call): Promise<number> {
  const open = operations.filter(({ security, body }) => security.length === 0 && body?.type === 'object');
  for (const operation of open) {
    const attempt = requestOf(operation, { body: { undeclared: 1 } });
    if (attempt) await call(operation, attempt, (status) => status >= 400 && status < 500);
  }
  return open.length;
}

/** Calls the reads that an administrator may send. A custom sign-in route may take a different name and refuse this login. */
async function callSignedIn(
  operations: readonly Operation[],
  call: Call,
  { username, password }: DescribedProgram['administrator'],
): Promise<number> {
  const route = findSignIn(operations);
  if (!route) return 0;
  const { operation, nameMember, passwordMember } = route;
  const body = { [nameMember]: username, [passwordMember]: password };
  const signIn = jsonTo(operation, body);
  const token = accessTokenIn(
    await call(operation, signIn, (status) => status < 300 || (status >= 400 && status < 500)),
  );
  if (token === undefined) return 0;
  const headers = { authorization: `Bearer ${token}` };
  const readable = operations.filter((reading) => reading.method === 'GET' && takesBearer(reading));
  for (const reading of readable) {
    const attempt = requestOf(reading, { headers });
    if (attempt) await call(reading, attempt, (status) => status !== 401 && status < 500);
  }
  return readable.length;
}
