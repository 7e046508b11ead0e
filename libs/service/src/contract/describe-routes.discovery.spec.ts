import { apiKeyStrategy, AuthModule, Caller, Public, Roles, UseStrategy } from '@app/auth';
import { Page, PaginationQuery } from '@app/paging';
import { ById, exposureOf, Returns, type RouteDescription } from '@app/contract';
import { neverCalled } from '@app/contract/testing';
import { inGroups } from '@app/engine';
import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  type INestApplicationContext,
  Module,
  Param,
  Patch,
  Query,
} from '@nestjs/common';
import { Exclude, Expose } from 'class-transformer';
import { IsString } from 'class-validator';
import { readSettings } from '../settings/read-settings';
import { serviceSettings } from '../program/service-settings';
import { createProgram } from '../program/create-program.bootstrap';
import { describeRoutes } from './describe-routes.discovery';
import { describeApi } from '../reference/api-description.service';

@Exclude()
class Thing {
  @Expose() id!: number;
  @Expose({ groups: ['keeper'] }) cost!: number;
}

class ChangeThing {
  @IsString({ groups: ['change'] }) name!: string;
}

@Controller('things')
class ThingsController {
  @Get()
  @Returns(Page(Thing), { groups: ['keeper'] })
  @Roles('admin')
  list(@Query() _query: PaginationQuery) {
    return neverCalled();
  }

  @Get(['one/:id', 'single/:id'])
  @Returns(Thing)
  @UseStrategy('key', 'badge')
  read(@Param() _path: ById) {
    return neverCalled();
  }

  @Patch(':id')
  @Returns([Thing])
  change(
    @Caller() _caller: object,
    @Param() _path: ById,
    @Body(inGroups(ChangeThing, 'change')) _body: ChangeThing,
  ) {
    return neverCalled();
  }

  @Delete(':id')
  @HttpCode(204)
  remove(@Param('id') _id: string) {}

  @Get('note') @Public() note(): string {
    return 'a note';
  }

  @Get('picture') @Public() @Header('Content-Type', 'image/png') @Returns('bytes') picture() {}

  @Get('drawing') @Public() @Returns('bytes', { types: ['image/svg+xml', 'image/png'] }) drawing() {}
}

const auth = AuthModule.forRootAsync({
  useFactory: () => ({
    strategies: ['badge', 'key'].map((name) => apiKeyStrategy({ name, check: () => undefined })),
  }),
});

@Module({ imports: [auth], controllers: [ThingsController] })
class TestModule {}

function routes(): Promise<readonly RouteDescription[]> {
  return ofProgram(describeRoutes);
}

async function ofProgram<T>(describe: (app: INestApplicationContext) => T): Promise<T> {
  const settings = readSettings(serviceSettings, {});
  const app = await createProgram({ name: 'shop', module: TestModule, settings });
  const described = describe(app);
  await app.close();
  return described;
}

describe('the description of a program’s routes', () => {
  it('has one entry per method and path, ordered by path', async () => {
    expect((await routes()).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /docs',
      'GET /docs/favicon.png',
      'GET /docs/page.css',
      'GET /docs/page.js',
      'GET /docs/swagger-ui-bundle.js',
      'GET /docs/swagger-ui.css',
      'GET /health',
      'GET /health/live',
      'GET /health/ready',
      'GET /openapi.json',
      'GET /problems',
      'GET /problems/:code',
      'GET /things',
      'DELETE /things/:id',
      'PATCH /things/:id',
      'GET /things/drawing',
      'GET /things/note',
      'GET /things/one/:id',
      'GET /things/picture',
      'GET /things/single/:id',
    ]);
  });

  it('has who may call, what is accepted and what is sent', async () => {
    const descriptions = await routes();
    const things = descriptions.filter(({ controller }) => controller === ThingsController);
    const at = (name: string) => things.find(({ handler }) => handler === name);
    const closed = {
      isPublic: false,
      strategies: ['badge'],
      roles: undefined,
      facets: [],
      isOwn: false,
    };
    expect(at('list')).toEqual({
      application: 'shop',
      method: 'GET',
      path: '/things',
      controller: ThingsController,
      handler: 'list',
      callers: { ...closed, roles: ['admin'] },
      body: undefined,
      query: { type: PaginationQuery, groups: [] },
      params: undefined,
      response: {
        type: Thing,
        shape: 'page',
        body: Page(Thing),
        groups: ['keeper'],
        options: { groups: ['keeper'] },
        version: undefined,
      },
      sends: 'class',
      status: 200,
      mediaTypes: ['application/json; charset=utf-8'],
    });
    expect(at('read')).toMatchObject({
      callers: { strategies: ['key', 'badge'] },
      params: { type: ById, groups: [] },
      response: { type: Thing, shape: 'one', body: Thing, groups: [] },
    });
    expect(at('change')).toMatchObject({
      callers: { ...closed, isOwn: true },
      body: { type: ChangeThing, groups: ['change'] },
      response: { shape: 'list' },
    });
    expect(at('remove')).toMatchObject({ params: undefined, status: 204, mediaTypes: [] });
    expect(at('note')).toMatchObject({
      callers: { isPublic: true, strategies: [] },
      response: undefined,
      mediaTypes: ['text/plain; charset=utf-8'],
    });
    expect(at('picture')).toMatchObject({ mediaTypes: ['image/png'] });
    expect(descriptions.find(({ path }) => path === '/problems')).toMatchObject({
      mediaTypes: ['text/html; charset=utf-8', 'application/json; charset=utf-8'],
    });
  });

  it('has a title and an introduction with the names, for a program without its own', async () => {
    const { info } = await ofProgram(describeApi);
    expect(info).toMatchObject({
      title: expect.stringMatching(/^sluice (?:\w+ )?API$/),
      description: expect.stringMatching(
        /^The HTTP API of the program `\w+` in `sluice`\.\n\nBodies are JSON/,
      ),
    });
  });

  it('has each media type of a download, in the lock and in the document', async () => {
    const { 'GET /things/drawing': drawing } = exposureOf(await routes());
    expect(drawing?.sends).toEqual(['image/svg+xml', 'image/png']);
    const { paths } = await ofProgram(describeApi);
    expect(paths['/things/drawing']?.get).toMatchObject({
      responses: { 200: { content: { 'image/svg+xml': { schema: {} }, 'image/png': { schema: {} } } } },
    });
  });
});
