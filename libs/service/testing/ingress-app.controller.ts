import { Body, Controller, Delete, Get, NotFoundException, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** Errors that `GET /throw/:name` throws; tests add their own. */
export const thrown = new Map<string, () => unknown>();

/** Routes that return the input that passed the ingress. */
@Controller()
export class IngressAppController {
  @Post('echo')
  echo(@Body() body: unknown): object {
    return body === undefined ? { nothing: true } : { body };
  }

  @Delete('echo')
  remove(@Body() body: unknown): object {
    return this.echo(body);
  }

  @Get('query')
  query(@Query() query: object): object {
    return { ...query };
  }

  @Get('part/:part')
  part(@Param('part') part: string): object {
    return { part };
  }

  @Get('throw/:name')
  fail(@Param('name') name: string): never {
    const makeError = thrown.get(name) ?? (() => new NotFoundException(`a test knows no error ${name}`));
    throw makeError();
  }

  /** Fails after it has sent a part of its response. */
  @Get('half')
  half(@Res() reply: FastifyReply): never {
    reply.raw.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' });
    reply.raw.write('half of it');
    throw new Error('failed during the response');
  }

  /** Fails after it has sent its response. */
  @Get('whole')
  whole(@Res() reply: FastifyReply): never {
    void reply.send('all of it');
    throw new Error('failed after the response');
  }
}
