import { securitySchemes } from '@app/auth';
import { type ErrorForm, openApiDocument, type OpenApiDocument } from '@app/contract';
import { type INestApplicationContext, Inject, Injectable } from '@nestjs/common';
import { PROGRAM_IDENTITY, type ProgramIdentity } from '../about.service';
import { describeRoutes } from '../contract/describe-routes';

/** What the program tells callers of itself, in OpenAPI 3.1. Made when it is first asked for. */
@Injectable()
export class ApiDescription {
  private make?: () => OpenApiDocument;
  private made?: OpenApiDocument;

  constructor(@Inject(PROGRAM_IDENTITY) private readonly identity: ProgramIdentity) {}

  /** Tells whose description this is, once the program is complete. */
  describe(app: INestApplicationContext, form: ErrorForm): void {
    const { name, application, version } = this.identity;
    this.make = () =>
      openApiDocument(
        describeRoutes(app).filter(({ path }) => !isOfReference(path)),
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

/** What a program that was made tells callers of itself. */
export function describeApi(app: INestApplicationContext): OpenApiDocument {
  return app.get(ApiDescription, { strict: false }).document();
}

/** The description does not describe itself, nor the page's files. */
function isOfReference(path: string): boolean {
  return path === '/openapi.json' || path === '/docs' || path.startsWith('/docs/');
}
