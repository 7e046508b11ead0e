import type { OpenApiDocument } from '../src/openapi/document';
import { type SchemaCheck, schemaChecker } from './schema-checker';

/** A request and its answer, as a client saw them. */
export interface Exchange {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** What any request can meet before its route has a say: these need not be declared one by one. */
const atTheDoor = new Set([400, 404, 408, 413, 414, 415, 417, 431, 500]);

/**
 * Holds answers to a description, status and body. Paths and methods that it does not know are not looked at.
 *
 * @returns throws an Error, which says what stands against the description
 */
export function assertDescribed(document: OpenApiDocument): (exchange: Exchange) => void {
  const checkerOf = schemaChecker(document);
  const templates = Object.keys(document.paths).toSorted(literalFirst);
  const patterns = templates.map((path) => ({ path, pattern: patternOf(path) }));
  return (exchange) => {
    const [path = ''] = exchange.path.split('?');
    const template = patterns.find(({ pattern }) => pattern.test(path))?.path;
    const operation: any = template && document.paths[template]?.[exchange.method.toLowerCase()];
    if (!operation) return;
    const problem = problemOf(exchange, responseFor(exchange.status, operation, document), checkerOf);
    if (problem) throw new Error(`${exchange.method} ${template} answered ${exchange.status}: ${problem}`);
  };
}

function responseFor(status: number, { responses }: any, { components }: OpenApiDocument): any {
  const found = responses[status] ?? (atTheDoor.has(status) ? responses.default : undefined);
  const name: string | undefined = found?.$ref?.split('/').at(-1);
  return name === undefined ? found : (components as any).responses[name];
}

function problemOf(
  { contentType, text }: Exchange,
  response: any,
  checkerOf: (schema: object) => SchemaCheck,
): string | undefined {
  if (response === undefined) return 'its description knows no such status';
  if (response.content === undefined) return text === '' ? undefined : 'there should be no body';
  const [type = ''] = contentType.split(';');
  const content = response.content[type];
  if (content === undefined) return `its description knows no ${type}`;
  return checkerOf(content.schema)(type === 'application/json' ? JSON.parse(text) : text);
}

function literalFirst(one: string, other: string): number {
  return Number(one.includes('{')) - Number(other.includes('{'));
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${RegExp.escape(template).replaceAll(/\\\{\w+\\\}/g, '[^/]+')}$`);
}
