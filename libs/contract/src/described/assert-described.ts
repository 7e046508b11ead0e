import type { OpenApiDocument } from '../openapi/document';
import { type SchemaCheck, schemaChecker } from './schema-checker';

/** Matches JSON media types. It excludes `application/x-ndjson`, which has a value on each line. */
const isJson = /[/+]json$/;

/** A request and its response, as the client received it. */
export interface Exchange {
  readonly method: string;
  /** The path with its query string. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  /** The header field names; default no fields. */
  readonly headers?: readonly string[];
}

/** The header fields that depend on the route. */
const ofRoutes = new Set([
  'etag',
  'idempotent-replayed',
  'link',
  'location',
  'retry-after',
  'www-authenticate',
]);

/** The statuses of errors before routing, which `default` describes. */
const atTheDoor = new Set([400, 404, 408, 413, 414, 415, 417, 431, 500]);

/**
 * Asserts that responses match a description, status and body. Undescribed paths and methods are ignored.
 *
 * @returns a function that throws an Error for a response that does not match
 */
export function assertDescribed(document: OpenApiDocument): (exchange: Exchange) => void {
  const checkerOf = schemaChecker(document);
  const templates = Object.keys(document.paths).toSorted(literalFirst);
  const patterns = templates.map((path) => ({ path, pattern: patternOf(path) }));
  return (exchange) => {
    const [path = ''] = exchange.path.split('?');
    const template = patterns.find(({ pattern }) => pattern.test(path))?.path;
    const described = template && document.paths[template]?.[exchange.method.toLowerCase()];
    if (!described) return;
    const operation: DescribedOperation = Object(described);
    const problem = problemOf(exchange, responseFor(exchange.status, operation, document), checkerOf);
    if (problem) throw new Error(`${exchange.method} ${template} answered ${exchange.status}: ${problem}`);
  };
}

/** The parts of an operation that a response is compared with. */
interface DescribedOperation {
  readonly responses: Readonly<Record<string, Described | undefined>>;
}

interface Described {
  readonly $ref?: string;
  readonly headers?: object;
  readonly content?: Readonly<Record<string, { readonly schema: object } | undefined>>;
}

function responseFor(
  status: number,
  { responses }: DescribedOperation,
  { components }: OpenApiDocument,
): Described | undefined {
  const response = responses[status] ?? (atTheDoor.has(status) ? responses.default : undefined);
  const name = response?.$ref?.split('/').at(-1);
  if (name === undefined) return response;
  const shared: DescribedOperation['responses'] = Object(components['responses']);
  return shared[name];
}

function problemOf(
  { contentType, text, headers = [] }: Exchange,
  response: Described | undefined,
  checkerOf: (schema: object) => SchemaCheck,
): string | undefined {
  if (response === undefined) return 'the status is not described';
  const described = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()));
  const undescribed = headers.find((name) => ofRoutes.has(name) && !described.has(name));
  if (undescribed !== undefined) return `the header ${undescribed} is not described`;
  if (response.content === undefined) return text === '' ? undefined : 'there should be no body';
  const [type = ''] = contentType.split(';');
  const content = response.content[type];
  if (content === undefined) return `the media type ${type} is not described`;
  if (!isJson.test(type)) return checkerOf(content.schema)(text);
  const body: unknown = JSON.parse(text);
  return checkerOf(content.schema)(body);
}

/**
 * Orders two paths segment by segment, like a router. At the first segment that differs in kind, the literal segment comes
 * first.
 */
function literalFirst(left: string, right: string): number {
  const [mine, theirs] = [left, right].map((path) =>
    path.split('/').map((part) => Number(part.includes('{'))),
  );
  const at = mine?.findIndex((kind, index) => kind !== theirs?.[index]) ?? -1;
  return (mine?.[at] ?? 0) - (theirs?.[at] ?? 0);
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${RegExp.escape(template).replaceAll(/\\\{\w+\\\}/g, '[^/]+')}$`);
}
