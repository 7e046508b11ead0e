import type { ProblemType } from '@app/http-errors';
import type { JsonSchema } from '@app/engine';
import { Components } from '../components';
import type { RouteDescription } from '../route-description';
import type { Describe } from '../descriptions';
import type { Part } from './part';
import { type ErrorForm, problemIn } from '../error-form';
import { errorExamples, sharedResponses } from './error-responses';
import { problemsOf } from '../problems';
import { ruleCodesOf } from '../rule-codes';
import { operation, operationName } from './operation';
import { tagsOf } from '../tags';

/** The document parts that describe the program as a whole. */
export interface DocumentHead {
  /** The start of public paths, such as `/api`; empty for no prefix. */
  readonly pathPrefix: string;
  readonly title: string;
  /** The paragraph that says what the API is, in Markdown. */
  readonly introduction: string;
  readonly version: string;
  readonly form: ErrorForm;
  /** The kinds of errors that any route can have. */
  readonly problems: readonly ProblemType[];
  /** The source comments for classes and handlers; default no comments. */
  readonly describe?: Describe;
  /** The security schemes by strategy name. */
  readonly securitySchemes: Readonly<Record<string, Part>>;
}

/** An OpenAPI 3.1 document; typed as far as our own code reads it. */
export interface OpenApiDocument extends Part {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Part>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> } & Part;
}

const bodyLimits =
  `Bodies are JSON in UTF-8. In addition to its schema, a body is limited to 100 KiB, 32 levels of nesting,
1000 fields per object and 5000 objects in total; strings must be well-formed Unicode, and no field may be named
\`__proto__\`, \`constructor\` or \`prototype\`. Strings that are stored must not contain NUL.`.replaceAll(
    '\n',
    ' ',
  );

/**
 * Describes a program in OpenAPI 3.1, from the declarations in its routes and their classes.
 *
 * @param routes by path; the order is kept
 */
export function openApiDocument(routes: readonly RouteDescription[], head: DocumentHead): OpenApiDocument {
  const components = new Components(head.describe);
  const document = documentOf(routes, head, components);
  const { shared } = components;
  return shared.size === 0 ? document : documentOf(routes, head, new Components(head.describe, shared));
}

function documentOf(
  routes: readonly RouteDescription[],
  head: DocumentHead,
  components: Components,
): OpenApiDocument {
  const asSent = (problem: ProblemType) => problemIn(head.form, problem);
  const shared = head.problems.map(asSent);
  const all = problemsOf(routes, head.problems).map(asSent);
  const problems = { shared, all, rules: ruleCodesOf(routes) };
  const responses = sharedResponses(head.form, problems, components);
  const paths: Record<string, Record<string, Part>> = {};
  const ids = new Set<string>();
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    const id = freeId(route, ids);
    const ofPath = (paths[path] ??= {});
    const errors = { shared, form: head.form };
    ofPath[route.method.toLowerCase()] = operation(route, id, components, errors, head.securitySchemes);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: head.title,
      version: head.version,
      description: `${head.introduction}\n\n${bodyLimits}`,
    },
    servers: [{ url: head.pathPrefix || '/' }],
    tags: tagsOf(routes, components.describe),
    paths: Object.fromEntries(Object.entries(paths).map(([path, operations]) => [path, inOrder(operations)])),
    components: {
      schemas: components.all(),
      responses,
      examples: errorExamples(all, head.form),
      securitySchemes: head.securitySchemes,
    },
  };
}

const methods = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete'];

/** Reads come before changes. */
function inOrder(operations: Record<string, Part>): Record<string, Part> {
  const sorted = Object.entries(operations).toSorted(([a], [b]) => methods.indexOf(a) - methods.indexOf(b));
  return Object.fromEntries(sorted);
}

/** Returns a unique id. If a handler has several paths, or two controllers have the same name, the path makes the id unique. */
function freeId(route: RouteDescription, taken: Set<string>): string {
  const name = operationName(route);
  const id = taken.has(name) ? `${name}At${pascal(route.path)}` : name;
  taken.add(id);
  return id;
}

/** Converts `/health/:id` to `HealthId`. */
function pascal(path: string): string {
  const parts = path.split(/\W+/).filter(Boolean);
  return parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
}
