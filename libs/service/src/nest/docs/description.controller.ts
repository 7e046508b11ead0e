import { Public } from '@app/auth';
import { Answers } from '@app/serialization';
import { Controller, Get, Header, Req, Res, type Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { StaticFile } from '../../docs/static-file';
import { ApiDescription } from './api-description';
import { type FileKind, sendFile } from './send-file';

/** A client asks whether it has changed. */
const json: FileKind = { isCompressible: true, maxAgeSeconds: 0 };

/**
 * Makes the controller of the OpenAPI document.
 *
 * @param isPublic otherwise it needs a caller
 */
export function descriptionController(isPublic: boolean): Type {
  @Controller()
  @Public(isPublic)
  class DescriptionController {
    private document: StaticFile | undefined;

    constructor(private readonly description: ApiDescription) {}

    @Get('openapi.json')
    @Header('Content-Type', 'application/json; charset=utf-8')
    @Answers('bytes')
    describe(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
      this.document ??= new StaticFile(Buffer.from(JSON.stringify(this.description.document())));
      return sendFile(this.document, json, request, reply);
    }
  }
  return DescriptionController;
}
