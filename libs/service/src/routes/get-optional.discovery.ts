import type { INestApplicationContext, Type } from '@nestjs/common';

/** What a program provides; `undefined` if it has no such provider. */
export function getOptional<T>(app: INestApplicationContext, what: Type<T>): T | undefined {
  try {
    return app.get(what, { strict: false });
  } catch {
    return undefined;
  }
}
