import { Public } from '@app/auth';
import { Returns } from '@app/contract';
import { type DynamicModule, Body, Controller, Module, Post } from '@nestjs/common';
import { Exclude, Expose } from 'class-transformer';
import { IsInt, IsString, MaxLength } from 'class-validator';

@Module({})
class Crowd {}

/** Creates unused routes, each with an input class and a response class. */
export function crowdOf(count: number): DynamicModule {
  return { module: Crowd, controllers: Array.from({ length: count }, (_, at) => controllerAt(at)) };
}

function controllerAt(at: number) {
  class Incoming {
    @IsString() @MaxLength(100) name!: string;
    @IsInt() amount!: number;
  }

  @Exclude()
  class Outgoing {
    @Expose() name!: string;
    @Expose() amount!: number;
  }

  @Controller(`crowd/${at}`)
  @Public()
  class CrowdController {
    @Post()
    @Returns(Outgoing)
    echo(@Body() body: Incoming): Outgoing {
      return body;
    }
  }
  Object.defineProperty(CrowdController, 'name', { value: `CrowdController${at}` });
  return CrowdController;
}
