import type { Abstract, Type } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';

/** Returns a provider of the program, or `undefined` if the program has no such provider. */
export function getOptional<T>(app: Pick<ModuleRef, 'get'>, what: Type<T> | Abstract<T>): T | undefined {
  try {
    return app.get(what, { strict: false });
  } catch {
    return undefined;
  }
}
