import { securitySchemes } from '@app/auth';
import {
  type Describe,
  type ErrorForm,
  openApiDocument,
  type OpenApiDocument,
  type Rate,
  type RouteDescription,
} from '@app/contract';
import { type INestApplicationContext, Inject, Injectable } from '@nestjs/common';
import { PROGRAM_IDENTITY, type ProgramIdentity } from '../about.service';
import { describeRoutes } from '../describe-routes';

/** The program's OpenAPI 3.1 document, generated on first use. */
@Injectable()
export class ApiDescription {
  private make?: (describe: Describe) => OpenApiDocument;
  private texts: Describe | undefined;
  private made?: OpenApiDocument;

  constructor(@Inject(PROGRAM_IDENTITY) private readonly identity: ProgramIdentity) {}

  /**
   * Sets the program to describe, once it is complete.
   *
   * @param texts what its sources say
   */
  describe(app: INestApplicationContext, form: DescribedSettings, texts: Describe): void {
    const { name, application, version } = this.identity;
    this.texts = texts;
    this.make = (describe) =>
      openApiDocument(
        describeRoutes(app)
          .filter(({ path }) => !isReferenceRoute(path))
          .map((route) => withUsualRate(route, form.RATE_LIMIT)),
        {
          title: `${name} ${application}`,
          version,
          pathPrefix: form.PATH_PREFIX,
          form,
          securitySchemes: securitySchemes(app),
          describe,
        },
      );
  }

  /** @throws TypeError before the program is complete */
  document(): OpenApiDocument {
    this.made ??= this.documentWith(this.texts ?? (() => undefined));
    return this.made;
  }

  /**
   * The document with other texts, such as those of the sources that have changed since they were collected.
   *
   * @throws TypeError before the program is complete
   */
  documentWith(texts: Describe): OpenApiDocument {
    if (this.make === undefined) throw new TypeError('The program is described once it is complete.');
    return this.make(texts);
  }
}

/** The settings that a document depends on. */
interface DescribedSettings extends ErrorForm {
  readonly RATE_LIMIT: Rate | undefined;
  readonly PATH_PREFIX: string;
}

function withUsualRate(route: RouteDescription, usual: Rate | undefined): RouteDescription {
  return { ...route, rate: route.rate ?? usual };
}

/**
 * The OpenAPI document of a created program.
 *
 * @param texts in place of those that the program was compiled with
 */
export function describeApi(app: INestApplicationContext, texts?: Describe): OpenApiDocument {
  const description = app.get(ApiDescription, { strict: false });
  return texts ? description.documentWith(texts) : description.document();
}

/** The document omits its own route and those of the page. */
function isReferenceRoute(path: string): boolean {
  return path === '/openapi.json' || path === '/docs' || path.startsWith('/docs/');
}
