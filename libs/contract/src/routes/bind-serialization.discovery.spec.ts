import { Readable } from 'node:stream';
import { Controller, Get, Res, SerializeOptions, StreamableFile } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import type { FastifyReply } from 'fastify';
import { neverCalled } from '../../testing/never-called';
import { serve, type Served } from '../../testing/serve';
import { UndeclaredResponsesError } from '@app/engine';
import { Returns } from './returns.decorator';
import { bindSerialization } from './bind-serialization.discovery';
import { responsesLeftToLibrary, assertBoundSerialization } from './binding.discovery';

const hardened = (app: NestFastifyApplication) => bindSerialization(app, { hardened: true });

@Exclude()
class User {
  @Expose() id!: number;
  @Expose({ groups: ['admin'] }) role!: string;
  @Expose({ since: 2 }) nick!: string;
  @Expose() _internal!: string;
}

/** For handlers that return what their types do not allow. */
const AnyUser: new () => object = User;

@Exclude()
class Envelope {
  @Expose() @Type(() => User) user!: User;
}

@Exclude()
class Vague {
  @Expose() user: unknown;
}

const row = { id: 1, role: 'boss', nick: 'al', _internal: 'x', password: 'SECRET' };

class Account {
  id = 1;
  @Exclude() password = 'SECRET';
  @Expose({ groups: ['admin'] }) role = 'boss';
}

@Controller('grouped')
@SerializeOptions({ type: User, groups: ['admin'], excludePrefixes: ['_'] })
class GroupedController {
  @Get('all') all() {
    return row;
  }
  @Get('own') @SerializeOptions({ type: User, version: 2 }) own() {
    return row;
  }
  @Get('list') @Returns([User], { version: 1 }) list() {
    return [row, row];
  }
}

@Controller('instances')
@SerializeOptions({ groups: ['admin'] })
class InstancesController {
  @Get() @Returns('anything') all() {
    return [new Account(), { password: 'plain' }];
  }
}

@Controller()
class HardenedController {
  @Get('text') @Returns('text') text(): unknown {
    return row;
  }
  @Get('nothing') @Returns('nothing') nothing() {
    return [row];
  }
  @Get('untruthful') untruthful(): string {
    return Object(row);
  }
  @Get('anything') @Returns('anything') anything() {
    return row;
  }
  @Get('stream') @Returns(AnyUser) stream() {
    return new StreamableFile(Readable.from(['SECRET']));
  }
  @Get('yielding') @Returns(AnyUser) async *yielding() {
    yield row;
  }
  @Get('bytes') @Returns('bytes') bytes() {
    return new StreamableFile(Readable.from(['streamed']));
  }
  @Get('teapot') @Returns(User) teapot(@Res({ passthrough: true }) reply: FastifyReply) {
    void reply.code(418);
    return row;
  }
  @Get('vague') @Returns(Vague) vague() {
    return { user: row };
  }
  @Get('envelope') @Returns(Envelope) envelope() {
    return { user: row, password: 'SECRET' };
  }
}

describe('@SerializeOptions on a bound program', () => {
  let api: Served;
  beforeAll(async () => {
    api = await serve([GroupedController, InstancesController], bindSerialization);
  });
  afterAll(() => api.close());

  it.each([
    ['to the controller', '/grouped/all', '{"id":1,"role":"boss","nick":"al"}'],
    ['to the handler in its place', '/grouped/own', '{"id":1,"nick":"al","_internal":"x"}'],
    ['beside @Returns', '/grouped/list', '[{"id":1,"role":"boss"},{"id":1,"role":"boss"}]'],
    ['to instances, without a class', '/instances', '[{"id":1,"role":"boss"},{"password":"plain"}]'],
  ])('applies %s', async (_where, url, body) => {
    expect((await api.ask('GET', url)).text).toBe(body);
  });
});

describe('a hardened program', () => {
  let api: Served;
  beforeAll(async () => {
    api = await serve([HardenedController], hardened);
  });
  afterAll(() => api.close());

  it.each(['/text', '/nothing', '/untruthful', '/stream', '/yielding'])(
    'sends nothing that its route does not declare: %s',
    async (url) => {
      const { status, text } = await api.ask('GET', url);
      expect(status).toBe(500);
      expect(text).not.toContain('SECRET');
    },
  );

  it('filters for every status', async () => {
    expect(await api.ask('GET', '/teapot')).toMatchObject({
      status: 418,
      text: '{"id":1,"nick":"al","_internal":"x"}',
    });
  });

  it('sends nothing of an object in a property without a class', async () => {
    const { status, text } = await api.ask('GET', '/vague');
    expect([status, text.includes('SECRET')]).toEqual([500, false]);
  });

  it('sends declared responses', async () => {
    expect((await api.ask('GET', '/anything')).text).toBe(JSON.stringify(row));
    expect((await api.ask('GET', '/bytes')).text).toBe('streamed');
    expect((await api.ask('GET', '/envelope')).text).toBe('{"user":{"id":1,"nick":"al","_internal":"x"}}');
  });

  it('does not start with undeclared routes, and names all of them', async () => {
    @Controller()
    class Silent {
      @Get('one') one() {
        return row;
      }
      @Get('two') async two() {
        return row;
      }
    }
    const starting = serve([Silent], hardened);
    await expect(starting).rejects.toBeInstanceOf(UndeclaredResponsesError);
    await expect(starting).rejects.toThrow(/Silent\.one: .*\n.*Silent\.two: .*Declare @Returns\(Class\)/);
  });
});

describe('a response that cannot be compiled', () => {
  @Exclude()
  class Either {
    @Expose()
    @Transform(({ value }) => value as unknown)
    @Type(() => Object, { discriminator: { property: 'kind', subTypes: [{ name: 'user', value: User }] } })
    one!: User;
  }

  it('is reported with its route and the reason', async () => {
    @Controller('either')
    class EitherController {
      @Get() @Returns(Either) read() {
        return neverCalled();
      }
    }
    let left = (): unknown => [];
    const api = await serve([EitherController], (app) => {
      hardened(app);
      left = () => responsesLeftToLibrary(app);
    });
    expect(left()).toEqual([
      {
        route: 'GET /either',
        type: 'Either',
        reason: 'Either.one has a discriminator, kind, and a transform or a member of its name',
      },
    ]);
    await api.close();
  });
});

describe('a method that two controllers inherit', () => {
  class Base {
    @Get('one') one() {
      return row;
    }
  }

  it('sends what both of them declare', async () => {
    @Controller('a')
    @SerializeOptions({ type: User })
    class A extends Base {}
    @Controller('b')
    @SerializeOptions({ type: User })
    class B extends Base {}
    const api = await serve([A, B], bindSerialization);
    expect((await api.ask('GET', '/b/one')).text).toBe('{"id":1,"nick":"al","_internal":"x"}');
    await api.close();
  });

  it('must not have different responses in them', async () => {
    @Controller('a')
    @SerializeOptions({ type: User })
    class A extends Base {}
    @Controller('b')
    class B extends Base {}
    await expect(serve([A, B], bindSerialization)).rejects.toThrow(/A\.one: B inherits it too/);
  });
});

describe('a program without the binding', () => {
  it('does not start if a decorator would have no effect', async () => {
    for (const controller of [GroupedController, HardenedController]) {
      const module = await Test.createTestingModule({ controllers: [controller] }).compile();
      const adapter = new FastifyAdapter();
      const app = module.createNestApplication(adapter, { logger: false });
      expect(() => assertBoundSerialization(app.get(ModulesContainer), adapter)).toThrow(
        `${controller.name}: @Returns and @SerializeOptions have no effect`,
      );
    }
  });
});
