import { assertBoundSerialization } from '@app/contract';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost, ModulesContainer } from '@nestjs/core';

/** Aborts the start of a program that declares `@Returns` or `@SerializeOptions` without binding serialization. */
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
