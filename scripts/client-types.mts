import openapiTS, { astToString } from 'openapi-typescript';
import typescript from 'typescript';

/** The command that writes every generated file; named by tests that find a stale one. */
export const command = 'npm run generate';

/**
 * The sources of the typed client that an OpenAPI document decides, by name: the types of what an application accepts and sends, and its
 * routes that accept an `Idempotency-Key`, which types do not tell at run time.
 *
 * @param description the document as JSON
 */
export async function clientTypes(
  description: string,
  application: string,
): Promise<Readonly<Record<string, string>>> {
  const head = (what: string) => `/**
 * ${what}
 *
 * Generated from apps/${application}/openapi.json by \`${command}\`; do not edit.
 */
`;
  const routes = JSON.stringify(idempotentRoutes(description));
  return {
    'api.ts': `${head(`The types of what ${application} accepts and sends.`)}\n${await typesOf(description)}`,
    'idempotent-routes.ts': `${head(`The routes of ${application} that accept an Idempotency-Key.`)}export const idempotentRoutes: readonly string[] = ${routes};\n`,
  };
}

function idempotentRoutes(description: string): readonly string[] {
  const { paths }: { paths: Record<string, Record<string, { parameters?: { name: string }[] }>> } =
    JSON.parse(description);
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { parameters = [] }]) => parameters.some(({ name }) => name === 'Idempotency-Key'))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
}

/** The client asks for errors in the form of problems, so it gets no other. */
function withProblemsOnly(description: string): string {
  return JSON.stringify(JSON.parse(description), (key, value: unknown) => {
    const { 'application/problem+json': problem }: { 'application/problem+json'?: unknown } = Object(value);
    return key === 'content' && problem !== undefined ? { 'application/problem+json': problem } : value;
  });
}

/** The types of the client. A file of a form is a `Blob`, of which `File` is one. */
export async function typesOf(description: string): Promise<string> {
  const blob = typescript.factory.createTypeReferenceNode('Blob');
  const transform = ({ format: kind }: { format?: string }) => (kind === 'binary' ? blob : undefined);
  return astToString(await openapiTS(withProblemsOnly(description), { transform }));
}
