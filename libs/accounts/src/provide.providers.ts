import type { FactoryProvider, Type } from '@nestjs/common';

type Instances<Classes extends readonly Type[]> = {
  [Index in keyof Classes]: InstanceType<Classes[Index]>;
};

/** A provider of a class whose constructor takes these instances, which is type-checked. */
export function construct<const Classes extends readonly Type[]>(
  provide: new (...parts: Instances<Classes>) => unknown,
  inject: Classes,
): FactoryProvider {
  return from(provide, inject, (...parts) => new provide(...parts));
}

/** A provider that `make` makes from these instances, which is type-checked. */
export function from<Made, const Classes extends readonly Type[]>(
  provide: abstract new (...parts: never[]) => Made,
  inject: Classes,
  make: (...parts: Instances<Classes>) => Made | Promise<Made>,
): FactoryProvider {
  return { provide, inject: [...inject], useFactory: make };
}
