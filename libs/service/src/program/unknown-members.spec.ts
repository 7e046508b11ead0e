import { Public } from '@app/auth';
import { Body, compareExposures, exposureOf, Returns, routeLines } from '@app/contract';
import { inGroups } from '@app/engine';
import {
  type CallHandler,
  Controller,
  Get,
  type NestInterceptor,
  Post,
  Query,
  UseInterceptors,
} from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Exclude, Expose, Type } from 'class-transformer';
import { IsOptional, IsString, ValidateNested } from 'class-validator';
import { describeKinds } from '../adapter/describe-kinds.discovery';
import { describeRoutes } from '../contract/describe-routes.discovery';
import { readSettings } from '../settings/read-settings';
import { createProgram } from './create-program.bootstrap';
import { serviceSettings } from './service-settings';

class Part {
  @IsString({ always: true }) name!: string;
}

class Thing {
  @IsString({ groups: ['create'] }) title!: string;
  @ValidateNested({ groups: ['create'] })
  @Type(() => Part)
  part!: Part;
}

class Search {
  @IsOptional() @IsString() text?: string;
}

/** The body that a handler received. */
@Exclude()
class Echo {
  @Expose() received!: string;
}

const echo = (body: object): Echo => ({ received: JSON.stringify(body) });

class Passing implements NestInterceptor {
  intercept = (_: unknown, next: CallHandler) => next.handle();
}

/** The groups of two routes, of which one strips. */
const shared = inGroups(Thing, 'create');

@Public()
@Controller('things')
class ThingsController {
  @Post('rejecting')
  @Returns(Echo)
  rejecting(@Body() body: Thing) {
    return echo(body);
  }

  @Post('stripping')
  @Returns(Echo)
  stripping(@Body({ unknown: 'strip' }) body: Thing) {
    return echo(body);
  }

  @Post('grouped')
  @Returns(Echo)
  grouped(@Body({ ...shared, unknown: 'strip' }) body: Thing) {
    return echo(body);
  }

  @Post('grouped-rejecting')
  @Returns(Echo)
  groupedRejecting(@Body(shared) body: Thing) {
    return echo(body);
  }

  @Post('foreign')
  @Returns(Echo)
  @UseInterceptors(Passing)
  foreign(@Body({ unknown: 'strip' }) body: Thing) {
    return echo(body);
  }

  @Get()
  @Returns(Echo)
  search(@Query() search: Search) {
    return echo(search);
  }
}

const body = { title: 'a', id: 1, part: { name: 'b', createdAt: 2 }, toString: 3 };
const declared = { title: 'a', part: { name: 'b' } };

async function start(unknownMembers?: 'strip', routes?: 'nest'): Promise<NestFastifyApplication> {
  class Root {}
  const module = { module: Root, controllers: [ThingsController] };
  const settings = readSettings(serviceSettings, { LOG_LEVEL: 'silent' });
  return createProgram({ name: 'shop', module, settings, unknownMembers, routes });
}

describe.each([undefined, 'nest'] as const)('the unknown members of bodies (routes: %s)', (routes) => {
  let rejecting: NestFastifyApplication;
  let stripping: NestFastifyApplication;
  beforeAll(async () => {
    [rejecting, stripping] = await Promise.all([start(undefined, routes), start('strip', routes)]);
  });
  afterAll(() => Promise.all([rejecting.close(), stripping.close()]));

  async function send(app: NestFastifyApplication, route: string, payload: object = body) {
    const { statusCode, json } = await app.inject({ method: 'POST', url: `/things/${route}`, payload });
    return statusCode === 201 ? JSON.parse(json().received) : statusCode;
  }

  it('are rejected by default', async () => {
    expect(await send(rejecting, 'rejecting')).toBe(400);
    expect(await send(rejecting, 'rejecting', declared)).toEqual(declared);
    expect(await send(rejecting, 'grouped-rejecting')).toBe(400);
    expect(await send(rejecting, 'grouped-rejecting', declared)).toEqual(declared);
  });

  it.each(['stripping', 'grouped', 'foreign'])(
    'are removed at every depth where the route says so: %s',
    async (route) => {
      expect(await send(rejecting, route)).toEqual(declared);
      expect(await send(rejecting, route, { ...body, title: 4 })).toBe(400);
    },
  );

  it.each(['rejecting', 'stripping', 'grouped', 'foreign'])(
    'are removed on every route of a program that says so: %s',
    async (route) => {
      expect(await send(stripping, route)).toEqual(declared);
    },
  );

  it('are rejected in a query, whatever the program says of bodies', async () => {
    for (const app of [rejecting, stripping])
      expect((await app.inject('/things?text=a&other=b')).statusCode).toBe(400);
  });

  it('are described as the pipe treats them', async () => {
    const { paths, components } = (await rejecting.inject('/openapi.json')).json();
    const schemaOf = (route: string) => {
      const { $ref } = paths[`/things/${route}`].post.requestBody.content['application/json'].schema;
      return components.schemas[$ref.split('/').at(-1)];
    };
    expect(schemaOf('rejecting')).toMatchObject({ additionalProperties: false });
    for (const route of ['stripping', 'grouped', 'foreign']) {
      expect(schemaOf(route)).not.toHaveProperty('additionalProperties');
      const part = components.schemas[schemaOf(route).properties.part.$ref.split('/').at(-1)];
      expect(part).not.toHaveProperty('additionalProperties');
    }
  });

  it('are in the lock, and in the list of routes', async () => {
    const exposures = [rejecting, stripping].map((app) => exposureOf(describeRoutes(app)));
    const [strict = {}, open = {}] = exposures;
    expect(strict['POST /things/stripping']).toMatchObject({ unknownMembers: 'stripped' });
    expect(strict['POST /things/rejecting']).not.toHaveProperty('unknownMembers');
    const lines = ['POST /things/grouped-rejecting', 'POST /things/rejecting'];
    expect(compareExposures(strict, open)).toEqual({
      wider: lines.map((line) => `${line} removes unknown members`),
      narrower: [],
    });
    expect(compareExposures(open, strict)).toEqual({
      wider: [],
      narrower: lines.map((line) => `${line} rejects unknown members`),
    });
    const bodies = routeLines(describeRoutes(rejecting), describeKinds(rejecting)).map((route) => [
      route.path,
      route.body,
    ]);
    expect(Object.fromEntries(bodies)).toMatchObject({
      '/things/rejecting': 'Thing',
      '/things/grouped': 'Thing (create), unknown members stripped',
    });
  });
});
