import type { EnvironmentOf, Rate } from '@app/settings';
import { securitySchemes } from '@app/auth';
import {
  type Describe,
  openApiDocument,
  problemsOf,
  type OpenApiDocument,
  type RuleCodes,
  ruleCodesOf,
  problemIn,
  type RouteDescription,
} from '@app/contract';
import type { ProblemType } from '@app/http-errors';
import { type INestApplicationContext, Inject, Injectable } from '@nestjs/common';
import { PROGRAM_IDENTITY, type ProgramIdentity, type ReferenceHead } from '../identity/about.service';
import type { errorSettings } from '../errors/error-settings';
import type { httpSettings } from '../http/http-settings';
import type { rateLimitSettings } from '../rate-limit/rate-limit-settings';
import { sharedProblems } from './shared-problems';
import { describeRoutes } from '../contract/describe-routes.discovery';

/** The program's OpenAPI 3.1 document, generated on first use. */
@Injectable()
export class ApiDescription {
  private described?: { app: INestApplicationContext; form: DescribedSettings; texts: Describe };
  private written?: OpenApiDocument;
  private errors?: ProgramProblems;

  constructor(@Inject(PROGRAM_IDENTITY) private readonly identity: ProgramIdentity) {}

  /**
   * Sets the program to describe, once it is complete.
   *
   * @param texts the descriptions in its sources
   */
  describe(app: INestApplicationContext, form: DescribedSettings, texts: Describe): void {
    this.described = { app, form, texts };
  }

  /**
   * Returns the errors that the program sends.
   *
   * @throws TypeError before the program is complete
   */
  problems(): ProgramProblems {
    return (this.errors ??= this.readProblems());
  }

  /** Returns the document. @throws TypeError before the program is complete */
  document(): OpenApiDocument {
    return (this.written ??= this.documentWith(this.program.texts));
  }

  /** Returns the document for clients behind a proxy that removes a prefix. */
  documentBehind(prefix: string): OpenApiDocument {
    return { ...this.document(), servers: [{ url: prefix + this.program.form.prefix }] };
  }

  /**
   * Returns the document with other texts, such as the current texts of sources that have changed since they were collected.
   *
   * @throws TypeError before the program is complete
   */
  documentWith(texts: Describe): OpenApiDocument {
    const { app, form } = this.program;
    const { name, application, version, reference = headOf(name, application) } = this.identity;
    const routes = routesOf(app).map((route) => withUsualRate(route, form.RATE_LIMIT || undefined));
    return openApiDocument(routes, {
      ...reference,
      version,
      pathPrefix: form.PATH_PREFIX + form.prefix,
      form,
      problems: sharedProblems(),
      securitySchemes: securitySchemes(app),
      describe: texts,
    });
  }

  private readProblems(): ProgramProblems {
    const { app, form } = this.program;
    const routes = routesOf(app);
    const all = problemsOf(routes, sharedProblems()).map((problem) => problemIn(form, problem));
    return { all, rules: ruleCodesOf(routes) };
  }

  private get program() {
    if (this.described === undefined) throw new TypeError('The program is described once it is complete.');
    return this.described;
  }
}

/** Returns the head of a reference whose program declares none. */
function headOf(name: string, application: string): ReferenceHead {
  return {
    title: application === 'api' ? `${name} API` : `${name} ${application} API`,
    introduction: `The HTTP API of the program \`${application}\` in \`${name}\`.`,
  };
}

function withUsualRate(route: RouteDescription, usual: Rate | undefined): RouteDescription {
  return { ...route, rate: route.rate ?? usual };
}

function routesOf(app: INestApplicationContext): RouteDescription[] {
  return describeRoutes(app).filter(({ path }) => !isReferenceRoute(path));
}

/** The errors that a program sends. */
export interface ProgramProblems {
  /** The kinds of errors, by status and code. */
  readonly all: readonly ProblemType[];
  /** The rules that its inputs can violate. */
  readonly rules: RuleCodes;
}

/** The settings that a document depends on. */
type DescribedSettings = EnvironmentOf<
  typeof errorSettings & typeof rateLimitSettings & Pick<typeof httpSettings, 'PATH_PREFIX'>
> & { readonly prefix: string };

/**
 * Returns the OpenAPI document of a created program.
 *
 * @param texts replace the texts that the program was compiled with
 */
export function describeApi(app: INestApplicationContext, texts?: Describe): OpenApiDocument {
  const description = app.get(ApiDescription, { strict: false });
  return texts ? description.documentWith(texts) : description.document();
}

/** Returns the errors that a program sends: their kinds, and the rules of its inputs. */
export function describeProblems(app: INestApplicationContext): ProgramProblems {
  return app.get(ApiDescription, { strict: false }).problems();
}

/** Returns whether a path belongs to the document, the reference page or the error pages. The document omits these routes. */
export function isReferenceRoute(path: string): boolean {
  return path === '/openapi.json' || /^\/(?:docs|problems)(?:\/|$)/.test(path);
}
