import { Public } from '@app/auth';
import { Returns } from '@app/contract';
import { Controller, Get, Header, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { page, pagePolicy, pageStyle } from './page';
import { pageAccessibility } from './page-accessibility';
import { pageColors } from './page-colors';
import { pageScript } from './page-script';
import { StaticFile } from './static-file';
import { readSwaggerUi } from './swagger-ui';
import { type FileKind, sendFile } from './send-file';

const script = 'text/javascript; charset=utf-8';
const style = 'text/css; charset=utf-8';

/** Texts of this release: a client asks whether they have changed. */
const text: FileKind = { isCompressible: true, maxAgeSeconds: 0 };
/** Files of a package, which change only with a release. */
const packageText: FileKind = { isCompressible: true, maxAgeSeconds: 3600 };
const packageImage: FileKind = { isCompressible: false, maxAgeSeconds: 3600 };

/** Who may read the reference: everybody, callers, or nobody. */
export type DocsAccess = 'on' | 'signed-in' | 'off';

/** The token under which {@link DocsAccess} is injected. */
export const DOCS_ACCESS = Symbol('sluice.docs-access');

const files = {
  on: new StaticFile(Buffer.from(page({ needsSession: false }))),
  'signed-in': new StaticFile(Buffer.from(page({ needsSession: true }))),
  style: new StaticFile(Buffer.from(pageStyle + pageColors)),
  script: new StaticFile(Buffer.from(pageScript + pageAccessibility)),
};

/** The page of the API reference, which has no part of the API itself. Public (decision D1). */
@Controller()
@Public()
export class DocsController {
  constructor(@Inject(DOCS_ACCESS) private readonly access: Exclude<DocsAccess, 'off'>) {}

  @Get('docs')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', pagePolicy)
  @Returns('bytes')
  page(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return sendFile(files[this.access], text, request, reply);
  }

  @Get('docs/page.css')
  @Header('Content-Type', style)
  @Returns('bytes')
  style(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return sendFile(files.style, text, request, reply);
  }

  @Get('docs/page.js')
  @Header('Content-Type', script)
  @Returns('bytes')
  script(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return sendFile(files.script, text, request, reply);
  }

  @Get('docs/swagger-ui.css')
  @Header('Content-Type', style)
  @Returns('bytes')
  async uiStyle(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return sendFile(await readSwaggerUi('swagger-ui.css'), packageText, request, reply);
  }

  @Get('docs/swagger-ui-bundle.js')
  @Header('Content-Type', script)
  @Returns('bytes')
  async uiScript(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return sendFile(await readSwaggerUi('swagger-ui-bundle.js'), packageText, request, reply);
  }

  @Get('docs/favicon.png')
  @Header('Content-Type', 'image/png')
  @Returns('bytes')
  async icon(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return sendFile(await readSwaggerUi('favicon-32x32.png'), packageImage, request, reply);
  }
}
