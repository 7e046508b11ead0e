/** A JSON Schema as OpenAPI documents have it, as far as the attack reads it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required: boolean;
  readonly schema: Schema;
}

/** A way to authenticate: a scheme from the document, and the roles or scopes that it needs. */
export interface Security {
  readonly scheme: string;
  readonly kind: 'bearer' | 'other';
  readonly roles: readonly string[];
  /** The header that has the key, if the scheme is an API key in a header. */
  readonly header?: string;
}

/** A form's file. */
export interface Upload {
  /** The form member that holds the file. */
  readonly member: string;
  /** The permitted media types; empty if the document lists no types. */
  readonly types: readonly string[];
  /** The size limit that the document states. */
  readonly maxBytes?: number;
}

/** An operation with its schemas resolved. */
export interface Operation {
  /** The HTTP method in upper case. */
  readonly method: string;
  /** The path with its parameters in braces: `/orders/{id}`. */
  readonly path: string;
  /** The description from the document; empty if the document has no description. */
  readonly description: string;
  /** Any of them is enough; empty for a public operation. */
  readonly security: readonly Security[];
  /** The schemes that a public operation accepts to recognize its callers. Any of them may be sent. */
  readonly optionalSecurity?: readonly Security[];
  readonly parameters: readonly Parameter[];
  /** The roles in the tenant that the path names; absent for other operations. */
  readonly members?: readonly string[];
  /** A JSON body's schema. */
  readonly body?: Schema;
  /** The file of a body that is a form. */
  readonly upload?: Upload;
  /** An example of a body, from the document. */
  readonly example?: unknown;
  /** The schema of a successful JSON response. */
  readonly answer?: Schema;
}

/** A document after {@link resolverOf}, as far as it is read. */
interface Document {
  readonly paths?: Readonly<Record<string, PathItem>>;
  readonly security?: readonly Requirement[];
  readonly components?: {
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  };
}

interface SecurityScheme {
  readonly type?: string;
  /** The HTTP scheme, if the type is `http`. */
  readonly scheme?: string;
  /** The place of the key, if the type is `apiKey`. */
  readonly in?: string;
  readonly name?: string;
}

/** Scopes by scheme. A requirement needs all of its schemes. */
type Requirement = Readonly<Record<string, readonly string[]>>;
type Content = Readonly<Record<string, MediaType>>;

interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly encoding?: Readonly<Record<string, { readonly contentType?: string }>>;
}

type PathItem = { readonly parameters?: readonly Parameter[] } & Readonly<Partial<Record<Method, Described>>>;

interface Described {
  readonly 'x-members'?: readonly string[];
  readonly description?: string;
  readonly security?: readonly Requirement[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Content };
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>;
}

const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;
type Method = (typeof methods)[number];

/** The nesting limit for schemas that refer to themselves. */
const maxDepth = 12;

/**
 * Reads the operations of an OpenAPI 3 document and replaces every `$ref` with its target.
 *
 * @param text the document in JSON
 * @throws Error if the text is not an OpenAPI 3 document
 */
export function readOperations(text: string): Operation[] {
  const document: Document = resolved(JSON.parse(text));
  if (document.paths === undefined)
    throw new Error('the service has no OpenAPI document with `paths`; name its place with --openapi');
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const described = item[method];
      return described ? [readOperation(document, method, path, item, described)] : [];
    }),
  );
}

/** An operation's name, such as `GET /orders/{id}`. */
export function nameOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** Returns a JSON body's member names. */
export function membersOf({ body }: Pick<Operation, 'body'>): string[] {
  return Object.keys(body?.properties ?? {});
}

/** Returns the first member name in a schema that matches. */
export function has(schema: Schema | undefined, name: RegExp): string | undefined {
  return Object.keys(schema?.properties ?? {}).find((member) => name.test(member));
}

export const isPublic = ({ security }: Operation): boolean => security.length === 0;

/** Whether an operation can be called with a bearer token. */
export const takesBearer = ({ security }: Operation): boolean =>
  security.some(({ kind }) => kind === 'bearer');

/** Whether every account may call an operation because it needs no role. */
export const isForAnyCaller = (operation: Operation): boolean =>
  takesBearer(operation) && operation.security.some(({ roles }) => roles.length === 0);

/** Whether an operation has a thing in its path, such as `/orders/{id}`. */
export const namesThing = ({ path }: Operation): boolean => path.includes('{');

function readOperation(
  document: Document,
  method: string,
  path: string,
  item: PathItem,
  described: Described,
): Operation {
  const json = described.requestBody?.content?.['application/json'];
  const parameters = [...(item.parameters ?? []), ...(described.parameters ?? [])];
  // The last response wins, because a 200 before a 201 names a missing part, such as a second factor.
  const success = Object.entries(described.responses ?? {}).findLast(([status]) =>
    status.startsWith('2'),
  )?.[1];
  return {
    method: method.toUpperCase(),
    path,
    description: described.description ?? '',
    ...securityOf(document, described),
    members: described['x-members'],
    parameters: parameters.map((parameter) => Object.assign({ schema: {} }, parameter)),
    body: json?.schema,
    upload: uploadOf(described.requestBody?.content?.['multipart/form-data']),
    example: json?.example,
    answer: success?.content?.['application/json']?.schema,
  };
}

function uploadOf({ schema, encoding = {} }: MediaType = {}): Upload | undefined {
  const file = Object.entries(schema?.properties ?? {}).find(([, { format }]) => format === 'binary');
  if (file === undefined) return undefined;
  const [member, { maxLength, description = '' }] = file;
  const types = encoding[member]?.contentType?.split(',').map((type) => type.trim()) ?? [];
  const [, bytes] = /at most (\d+) bytes/.exec(description) ?? [];
  return { member, types, maxBytes: maxLength ?? (bytes === undefined ? undefined : Number(bytes)) };
}

/** An empty requirement (`{}`) means that no authentication is needed. */
function securityOf(
  { security, components }: Document,
  operation: Described,
): Pick<Operation, 'security' | 'optionalSecurity'> {
  const wanted = operation.security ?? security ?? [];
  const ways = wanted.flatMap((requirement) =>
    Object.entries(requirement).map(([name, roles]) => {
      const { type, scheme, in: place, name: header } = components?.securitySchemes?.[name] ?? {};
      const isBearer = type === 'http' && scheme?.toLowerCase() === 'bearer';
      const isKey = type === 'apiKey' && place === 'header';
      const way: Security = { scheme: name, kind: isBearer ? 'bearer' : 'other', roles };
      return isKey ? Object.assign(way, { header }) : way;
    }),
  );
  const isOptional = wanted.some((requirement) => Object.keys(requirement).length === 0);
  return isOptional ? { security: [], optionalSecurity: ways } : { security: ways };
}

/** Replaces references, to a depth at which schemas that contain themselves end. */
function resolved(document: object): object {
  const resolve = (part: unknown, depth: number): unknown => {
    if (Array.isArray(part)) return part.map((element) => resolve(element, depth));
    if (typeof part !== 'object' || part === null) return part;
    if ('$ref' in part && typeof part.$ref === 'string')
      return depth === 0 ? {} : resolve(find(document, part.$ref), depth - 1);
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, resolve(member, depth)]));
  };
  return Object(resolve(document, maxDepth));
}

function find(document: object, reference: string): unknown {
  const steps = reference.replace(/^#\//, '').split('/');
  return steps.reduce<unknown>(
    (part, step) => Reflect.get(Object(part), step.replaceAll('~1', '/').replaceAll('~0', '~')),
    document,
  );
}
