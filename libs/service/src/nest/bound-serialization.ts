import { assertBoundSerialization } from '@app/serialization';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost, ModulesContainer } from '@nestjs/core';

/** Ends the start of a program that was put together without what obeys `@Answers` and `@SerializeOptions`. */
@Injectable()
export class BoundSerialization implements OnApplicationBootstrap {
  constructor(
    private readonly modules: ModulesContainer,
    private readonly host: HttpAdapterHost,
  ) {}

  onApplicationBootstrap(): void {
    assertBoundSerialization(this.modules, this.host.httpAdapter);
  }
}
