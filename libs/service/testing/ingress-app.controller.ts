import { Body, Controller, Delete, Get, NotFoundException, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** Errors that handlers throw at `GET /throw/:name`; a test adds its own. */
export const thrown = new Map<string, () => unknown>();

/** Routes that show what came through the door. */
@Controller()
export class DoorwayController {
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

  /** Begins its answer, and fails in the midst of it. */
  @Get('half')
  half(@Res() reply: FastifyReply): never {
    reply.raw.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' });
    reply.raw.write('half of it');
    throw new Error('failed in the midst');
  }

  /** Gives its whole answer, and fails behind it. */
  @Get('whole')
  whole(@Res() reply: FastifyReply): never {
    void reply.send('all of it');
    throw new Error('failed behind it');
  }
}
