import openapiTS, { astToString } from 'openapi-typescript';
import typescript from 'typescript';

/** The command that writes every generated file. Tests that find a stale file name this command. */
export const command = 'npm run generate';

/** The OpenAPI document parts that the generator reads. */
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: object };
}
interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
type Content = Readonly<Record<string, { readonly schema?: { readonly type?: unknown } }>>;

/**
 * Returns the generated sources of the typed client by file name. They contain the application's types, its schemas by name, and
 * the route facts that types do not carry at run time.
 *
 * @param description the OpenAPI document as JSON
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
  const document: Description = JSON.parse(description);
  return {
    'api.ts': `${head(`The types of what ${application} accepts and sends.`)}\n${await typesOf(description)}`,
    'schemas.ts': `${head(`The schemas of ${application} by name.`)}\n${schemasOf(document)}`,
    'routes.ts': `${head(`The facts about routes of ${application} that types do not tell.`)}\n${routesOf(document)}`,
  };
}

/**
 * Generates the schemas. They have their own file, so that a schema named like a global type, such as `Record`, hides nothing
 * from the other types.
 */
function schemasOf({ components }: Description): string {
  const types = Object.keys(components.schemas).map((name) => {
    const exported = name.replaceAll(/(?:^|[^\p{ID_Continue}$])([\p{ID_Continue}$])/gu, (_, first: string) =>
      first.toUpperCase(),
    );
    return `export type ${exported} = components['schemas']['${name}'];\n`;
  });
  return `import type { components } from './api';\n\n${types.join('')}`;
}

function routesOf({ paths }: Description): string {
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
  const idempotent = routes.filter(([, { parameters }]) =>
    parameters?.some(({ name }) => name === 'Idempotency-Key'),
  );
  const kinds = routes.map(([route, { responses }]) => [route, bodyKindOf(responses)] as const);
  const others = kinds.filter(([, kind]) => kind !== undefined);
  return `/** The routes that accept an \`Idempotency-Key\`. */
export const idempotentRoutes: readonly string[] = ${JSON.stringify(idempotent.map(([route]) => route))};

/** The responses that are not JSON. */
export const bodyKinds: Readonly<Record<string, 'blob' | 'text'>> = ${JSON.stringify(Object.fromEntries(others))};
`;
}

function bodyKindOf(responses: Operation['responses']): 'blob' | 'text' | undefined {
  const successful = Object.keys(responses).find((status) => status.startsWith('2'));
  return kindOf(responses[successful ?? '']?.content ?? {});
}

/** Returns how the client reads a response. It reads bytes if any media type needs them. */
function kindOf(content: Content): 'blob' | 'text' | undefined {
  const bodies = Object.entries(content);
  if (bodies.every(([mediaType]) => isJson(mediaType))) return undefined;
  return bodies.every(([, { schema }]) => schema?.type === 'string') ? 'text' : 'blob';
}

function isJson(mediaType: string): boolean {
  return /^application\/(?:.+\+)?json$/.test(mediaType);
}

/**
 * Returns the document as the typed client reads it. Errors are problems only, because the client asks for them in that form.
 * Binary responses are a `Blob`.
 */
function asClientsReadIt(description: string): string {
  return JSON.stringify(JSON.parse(description), (key, value: unknown) => {
    if (key !== 'content' || typeof value !== 'object' || value === null) return value;
    if ('application/problem+json' in value)
      return { 'application/problem+json': value['application/problem+json'] };
    const content: Content = { ...value };
    if (kindOf(content) !== 'blob' || 'multipart/form-data' in content) return content;
    const file = { schema: { type: 'string', format: 'binary' } };
    return Object.fromEntries(Object.keys(content).map((mediaType) => [mediaType, file]));
  });
}

/**
 * Generates the client's types. A form file is a `Blob`, so that a `File` fits too. A request member with a default is optional.
 */
export async function typesOf(description: string): Promise<string> {
  const blob = typescript.factory.createTypeReferenceNode('Blob');
  const transform = ({ format: kind }: { format?: string }) => (kind === 'binary' ? blob : undefined);
  const options = { transform, defaultNonNullable: false };
  return astToString(await openapiTS(asClientsReadIt(description), options));
}
