import { Public } from '@app/auth';
import { Returns } from '@app/contract';
import { Controller, Get, Header, Req, Res, type Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { StaticFile } from './static-file';
import { forwardedPrefix } from '../responses/path-prefix';
import { ApiDescription } from './api-description.service';
import { type FileKind, sendFile } from './send-file';

/** A client asks whether it has changed. */
const json: FileKind = { isCompressible: true, maxAgeSeconds: 0 };
/** Of so many prefixes, which proxies choose, the document is kept. */
const maxKept = 16;

/**
 * Makes the controller of the OpenAPI document.
 *
 * @param isPublic otherwise it needs a caller
 */
export function descriptionController(isPublic: boolean): Type {
  @Controller()
  @Public(isPublic)
  class DescriptionController {
    /** By the prefix that a proxy names. */
    private readonly files = new Map<string | undefined, StaticFile>();

    constructor(private readonly description: ApiDescription) {}

    @Get('openapi.json')
    @Header('Content-Type', 'application/json; charset=utf-8')
    @Returns('bytes')
    describe(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
      const prefix = forwardedPrefix(request);
      const file = this.files.get(prefix) ?? this.fileFor(prefix);
      if (this.files.size < maxKept) this.files.set(prefix, file);
      return sendFile(file, json, request, reply);
    }

    private fileFor(prefix: string | undefined): StaticFile {
      const { description } = this;
      const document = prefix === undefined ? description.document() : description.documentBehind(prefix);
      return new StaticFile(Buffer.from(JSON.stringify(document)));
    }
  }
  return DescriptionController;
}
