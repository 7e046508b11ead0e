import { Public } from '@app/auth';
import { compareExposures, exposureOf, type OpenApiDocument, Returns, Schema } from '@app/contract';
import { neverCalled } from '@app/contract/testing';
import { Body, Controller, Get, type INestApplicationContext, Post, type Type } from '@nestjs/common';
import { Exclude, Expose, Type as TypeOf } from 'class-transformer';
import { IsString } from 'class-validator';
import { createProgram } from '../program/create-program.bootstrap';
import { serviceSettings } from '../program/service-settings';
import { describeRoutes } from './describe-routes.discovery';
import { describeApi } from '../reference/api-description.service';
import { readSettings } from '../settings/read-settings';

/** Accepted and sent. */
@Exclude()
class Payload {
  @Expose() @IsString() text!: string;
}

@Exclude()
class ListedPayload {
  @Expose() @TypeOf(() => Payload) payload!: Payload;
}

/** Two classes with one name. */
function responseNamedTwin(member: string): Type {
  @Exclude()
  class Twin {}
  Expose()(Twin.prototype, member);
  Schema({ type: 'string' })(Twin.prototype, member);
  return Twin;
}

/** A controller that accepts or sends it below a path. */
function controllerAt(path: string, way: 'accepts' | 'sends'): Type {
  @Controller(path)
  @Public()
  class Accepts {
    @Post()
    @Returns('nothing')
    write(@Body() _payload: Payload): void {}
  }
  @Controller(path)
  @Public()
  class Sends {
    @Get()
    @Returns(ListedPayload)
    read(): ListedPayload {
      return { payload: { text: 'a' } };
    }
  }
  return way === 'accepts' ? Accepts : Sends;
}

const documentOf = (controllers: Type[]): Promise<OpenApiDocument> => ofProgram(controllers, describeApi);

async function ofProgram<T>(controllers: Type[], look: (app: INestApplicationContext) => T): Promise<T> {
  class Root {}
  const settings = readSettings(serviceSettings, {});
  const app = await createProgram({ name: 'api', module: { module: Root, controllers }, settings });
  try {
    return look(app);
  } finally {
    await app.close();
  }
}

const namesIn = ({ components }: OpenApiDocument) =>
  Object.keys(components.schemas).filter((name) => /Payload(\.|$)/.test(name));

describe('the schemas of a class that is accepted and sent', () => {
  const [accepts, sends] = [controllerAt('m', 'accepts'), controllerAt('n', 'sends')];

  it('have names that routes before them do not change', async () => {
    const document = await documentOf([accepts, sends]);
    expect(namesIn(document)).toEqual(['ListedPayload', 'Payload', 'Payload.input']);
    for (const early of [controllerAt('a', 'accepts'), controllerAt('a', 'sends')]) {
      const { components } = await documentOf([early, accepts, sends]);
      for (const name of namesIn(document))
        expect([name, components.schemas[name]]).toEqual([name, document.components.schemas[name]]);
    }
  });

  it('are in the lock, which notices that a route has exchanged the names of two classes', async () => {
    const [first, second] = ['first', 'second'].map(responseNamedTwin);
    const at = (path: string, type: Type | undefined) => {
      @Controller(path)
      @Public()
      class Sends {
        @Get()
        @Returns(type ?? Payload)
        read() {
          return neverCalled();
        }
      }
      return Sends;
    };
    const exposed = (controllers: Type[]) =>
      ofProgram(controllers, (app) => exposureOf(describeRoutes(app), describeApi(app)));
    const locked = await exposed([at('m', first), at('n', second)]);
    expect([locked['GET /m']?.schemas, locked['GET /n']?.schemas]).toEqual([['Twin'], ['Twin2']]);
    const now = await exposed([at('a', second), at('m', first), at('n', second)]);
    expect(compareExposures(locked, now)).toEqual({
      wider: ['GET /m uses the schema Twin2', 'GET /n uses the schema Twin', 'GET /a is new, for anyone'],
      narrower: ['GET /m no longer uses the schema Twin', 'GET /n no longer uses the schema Twin2'],
    });
  });

  it('have the name of the class while it is either', async () => {
    expect(namesIn(await documentOf([accepts]))).toEqual(['Payload']);
    expect(namesIn(await documentOf([sends]))).toEqual(['ListedPayload', 'Payload']);
  });
});
