import { securitySchemes } from '@app/auth';
import {
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
  private make?: () => OpenApiDocument;
  private made?: OpenApiDocument;

  constructor(@Inject(PROGRAM_IDENTITY) private readonly identity: ProgramIdentity) {}

  /** Sets the program to describe, once it is complete. */
  describe(app: INestApplicationContext, form: DescribedSettings): void {
    const { name, application, version } = this.identity;
    this.make = () =>
      openApiDocument(
        describeRoutes(app)
          .filter(({ path }) => !isReferenceRoute(path))
          .map((route) => withUsualRate(route, form.RATE_LIMIT)),
        { title: `${name} ${application}`, version, form, securitySchemes: securitySchemes(app) },
      );
  }

  /** @throws TypeError before the program is complete */
  document(): OpenApiDocument {
    this.made ??= this.make?.();
    if (this.made === undefined) throw new TypeError('The program is described once it is complete.');
    return this.made;
  }
}

/** The settings that a document depends on. */
interface DescribedSettings extends ErrorForm {
  readonly RATE_LIMIT: Rate | undefined;
}

function withUsualRate(route: RouteDescription, usual: Rate | undefined): RouteDescription {
  return { ...route, rate: route.rate ?? usual };
}

/** The OpenAPI document of a created program. */
export function describeApi(app: INestApplicationContext): OpenApiDocument {
  return app.get(ApiDescription, { strict: false }).document();
}

/** The document omits its own route and those of the page. */
function isReferenceRoute(path: string): boolean {
  return path === '/openapi.json' || path === '/docs' || path.startsWith('/docs/');
}
