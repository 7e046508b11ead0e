import { Public } from '@app/auth';
import { NoLongerThan, Returns } from '@app/contract';
import { missing, type ProblemType } from '@app/http-errors';
import { Controller, Get, Headers, Param, Res } from '@nestjs/common';
import { IsString } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { problemList, problemPage, problemPagePolicy } from './problem-page';
import { preferredType } from '../responses/preferred-type';
import { problemPath } from '../responses/problem';
import { ApiDescription } from './api-description.service';

/** The kind of an error, in a path. */
export class ByCode {
  @IsString()
  @NoLongerThan(100)
  code!: string;
}

const maxAgeSeconds = 3600;
const [htmlType, jsonType] = ['text/html; charset=utf-8', 'application/json; charset=utf-8'] as const;

/** The meaning of each error, for people (HTML) and programs (JSON). Public (decision 0027). */
@Controller('problems')
@Public()
export class ProblemsController {
  constructor(private readonly description: ApiDescription) {}

  @Get()
  @Returns('bytes', { types: [htmlType, jsonType] })
  list(
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Buffer {
    const { all } = this.description.problems();
    return send(accept, reply, () => problemList(all), { problems: all.map(inJson) });
  }

  @Get(':code')
  @Returns('bytes', { types: [htmlType, jsonType] })
  read(
    @Param() { code }: ByCode,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Buffer {
    const { all, rules } = this.description.problems();
    const problem = all.find((candidate) => candidate.code === code) ?? missing('problem', code);
    const json = { ...inJson(problem), ...(code === 'invalid-input' && { rules }) };
    return send(accept, reply, () => problemPage(problem, rules), json);
  }
}

function inJson(problem: ProblemType): object {
  const { code, status, title, remedy, params } = problem;
  return { type: problemPath(problem), code, status, title, remedy, ...(params && { params }) };
}

function send(accept: string | undefined, reply: FastifyReply, page: () => string, json: object): Buffer {
  const isPage = preferredType(accept, ['application/json', 'text/html']) === 'text/html';
  void reply
    .header('Content-Type', isPage ? htmlType : jsonType)
    .header('Cache-Control', `public, max-age=${maxAgeSeconds}`)
    .header('Vary', 'Accept');
  if (isPage) void reply.header('Content-Security-Policy', problemPagePolicy);
  return Buffer.from(isPage ? page() : JSON.stringify(json));
}
