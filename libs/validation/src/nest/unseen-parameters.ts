import { type INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

export function refuseUnseenParameters(app: INestApplicationContext): void {
  app.get(ModulesContainer);
}
