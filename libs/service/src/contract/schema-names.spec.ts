import { Public } from '@app/auth';
import { type OpenApiDocument, Returns } from '@app/contract';
import { Body, Controller, Get, Post, type Type } from '@nestjs/common';
import { Exclude, Expose, Type as TypeOf } from 'class-transformer';
import { IsString } from 'class-validator';
import { createProgram } from '../program/create-program.bootstrap';
import { serviceSettings } from '../program/service-settings';
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

async function documentOf(controllers: Type[]): Promise<OpenApiDocument> {
  class Root {}
  const settings = readSettings(serviceSettings, {});
  const app = await createProgram({ name: 'api', module: { module: Root, controllers }, settings });
  try {
    return describeApi(app);
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

  it('have the name of the class while it is either', async () => {
    expect(namesIn(await documentOf([accepts]))).toEqual(['Payload']);
    expect(namesIn(await documentOf([sends]))).toEqual(['ListedPayload', 'Payload']);
  });
});
