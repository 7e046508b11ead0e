import 'reflect-metadata';
import {
  ClassSerializerInterceptor as NestInterceptor,
  Controller,
  Get,
  SerializeOptions,
  StreamableFile,
  UseInterceptors,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import * as classTransformer from 'class-transformer';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { ClassSerializerInterceptor } from './class-serializer.interceptor';

class Part {
  @Expose() count = 1;
  @Exclude() secret = 's';
}

class Whole {
  @Expose() id = 1;
  @Exclude() password = 'p';
  @Type(() => Part) parts = [new Part(), new Part()];
  @Expose({ groups: ['staff'] }) note = 'n';
  @Transform(({ options }) => Object.keys(options).toSorted().join()) options = '';
  @Type(() => Date) at = new Date(0);
}

function controllerWith(interceptor: typeof NestInterceptor): new () => object {
  @Controller()
  @UseInterceptors(interceptor)
  class Wholes {
    @Get('one') one() {
      return new Whole();
    }
    @Get('list') list() {
      return [new Whole(), { plain: 1, password: 'sent' }, null, 7];
    }
    @Get('page') page() {
      return { items: [new Whole()], total: 1 };
    }
    @Get('row') @SerializeOptions({ type: Whole, groups: ['staff'] }) row() {
      return { id: 2, password: 'p', note: 'm', more: true };
    }
    @Get('exposed') @SerializeOptions({ strategy: 'excludeAll', excludePrefixes: ['n'] }) exposed() {
      return Promise.resolve(new Whole());
    }
    @Get('text') text() {
      return 'text';
    }
    @Get('nothing') nothing() {
      return undefined;
    }
    @Get('file') file() {
      return new StreamableFile(Buffer.from('bytes'));
    }
    @Get('error') error() {
      throw new RangeError('a fault');
    }
  }
  return Wholes;
}

const paths = ['one', 'list', 'page', 'row', 'exposed', 'text', 'nothing', 'file', 'error', 'unknown'];
const adapters = {
  fastify: (module: object) =>
    NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), { logger: false }),
  express: (module: object) => NestFactory.create<NestExpressApplication>(module, { logger: false }),
};

/** The responses of a program for all paths: status, type and bytes. */
async function responsesBy(adapter: keyof typeof adapters, interceptor: typeof NestInterceptor) {
  class Program {}
  const app = await adapters[adapter]({ module: Program, controllers: [controllerWith(interceptor)] });
  await app.listen(0, '127.0.0.1');
  try {
    const url = await app.getUrl();
    const responses = paths.map(async (path) => {
      const response = await fetch(`${url}/${path}`);
      return [path, response.status, response.headers.get('content-type'), await response.text()];
    });
    return await Promise.all(responses);
  } finally {
    await app.close();
  }
}

describe('the interceptor of the package', () => {
  it.each(['fastify', 'express'] as const)('sends what Nest’s sends, on %s', async (adapter) => {
    const ours = await responsesBy(adapter, ClassSerializerInterceptor);
    expect(ours).toEqual(await responsesBy(adapter, NestInterceptor));
    expect(ours[0]?.[3]).toContain('"parts":[{"count":1},{"count":1}]');
    expect(ours[0]?.[3]).not.toContain('transformerPackage');
  });

  it('does not call the library after one of Nest’s was created, nor the package of another', () => {
    const ours = new ClassSerializerInterceptor(undefined);
    const own = { ...classTransformer, classToPlain: () => ({ own: true }) };
    const withOwn = new ClassSerializerInterceptor(undefined, { transformerPackage: own });
    void new NestInterceptor(undefined, { transformerPackage: classTransformer });
    const ofLibrary = vi.spyOn(classTransformer.ClassTransformer.prototype, 'instanceToPlain');
    expect(ours.serialize([new Part()], {})).toEqual([{ count: 1 }]);
    expect(ours.serialize({ count: 2, secret: 't' }, { type: Part })).toEqual({ count: 2 });
    expect(withOwn.serialize(new Part(), {})).toEqual({ own: true });
    expect(ofLibrary).not.toHaveBeenCalled();
  });

  it('has options of its own, as Nest’s', () => {
    const options = { groups: ['staff'] };
    const [ours, theirs] = [
      new ClassSerializerInterceptor(undefined, options),
      new NestInterceptor(undefined, options),
    ];
    expect(ours.serialize(new Whole(), options)).toEqual(theirs.serialize(new Whole(), options));
  });
});
