import { Public } from '@app/auth';
import { Returns } from '@app/contract';
import { applyDecorators, Controller, Get, Header, Inject, Req, Res, type Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { forwardedPrefix } from '../responses/path-prefix';
import { ApiDescription } from './api-description.service';
import { page, pagePolicy, pageStyle } from './page';
import { pageScript } from './page-script';
import { StaticFile, swaggerUi } from './static-file';

/** The reference's readers: everybody, callers, or nobody. */
export type DocsAccess = 'on' | 'signed-in' | 'off';

/** The token under which {@link DocsAccess} is injected. */
export const DOCS_ACCESS = Symbol('sluice.docs-access');

const files = {
  on: new StaticFile(Buffer.from(page({ needsSession: false }))),
  'signed-in': new StaticFile(Buffer.from(page({ needsSession: true }))),
  style: new StaticFile(Buffer.from(pageStyle)),
  script: new StaticFile(Buffer.from(pageScript)),
};

/** Declares a route that serves a file. */
const File = (path: string, type: string) =>
  applyDecorators(Get(path), Header('Content-Type', type), Returns('bytes'));

/** The API reference page. It is not part of the API itself. Public (decision D1). */
@Controller()
@Public()
export class DocsController {
  constructor(@Inject(DOCS_ACCESS) private readonly access: Exclude<DocsAccess, 'off'>) {}

  @File('docs', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', pagePolicy)
  page(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return files[this.access].send(request, reply);
  }

  @File('docs/page.css', 'text/css; charset=utf-8')
  style(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return files.style.send(request, reply);
  }

  @File('docs/page.js', 'text/javascript; charset=utf-8')
  script(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return files.script.send(request, reply);
  }

  @File('docs/swagger-ui.css', 'text/css; charset=utf-8')
  async uiStyle(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return (await swaggerUi('swagger-ui.css')).send(request, reply);
  }

  @File('docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8')
  async uiScript(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return (await swaggerUi('swagger-ui-bundle.js')).send(request, reply);
  }

  @File('docs/favicon.png', 'image/png')
  async icon(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return (await swaggerUi('favicon-32x32.png')).send(request, reply);
  }
}

/** The number of proxy prefixes for which the document is kept. */
const maxKept = 16;

/**
 * Makes the controller that serves the OpenAPI document.
 *
 * @param isPublic otherwise it needs a caller
 */
export function descriptionController(isPublic: boolean): Type {
  @Controller()
  @Public(isPublic)
  class DescriptionController {
    private readonly files = new Map<string | undefined, StaticFile>();

    constructor(private readonly description: ApiDescription) {}

    @File('openapi.json', 'application/json; charset=utf-8')
    describe(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
      const prefix = forwardedPrefix(request);
      const file = this.files.get(prefix) ?? this.fileFor(prefix);
      if (this.files.size < maxKept) this.files.set(prefix, file);
      return file.send(request, reply);
    }

    private fileFor(prefix: string | undefined): StaticFile {
      const { description } = this;
      const document = prefix === undefined ? description.document() : description.documentBehind(prefix);
      return new StaticFile(Buffer.from(JSON.stringify(document)));
    }
  }
  return DescriptionController;
}
