import * as library from 'class-transformer';
import * as functions from './transform-functions';
import { withMethods } from './with-methods';

/** class-transformer's `ClassTransformer`, compiled: an instance of it as well. */
export const ClassTransformer: typeof library.ClassTransformer = withMethods(
  class ClassTransformer extends library.ClassTransformer {},
  { instanceToPlain: functions.instanceToPlain, plainToInstance: functions.plainToInstance },
);
export type ClassTransformer = library.ClassTransformer;

/** class-transformer's `TransformInstanceToPlain`, compiled. */
export const TransformInstanceToPlain: typeof library.TransformInstanceToPlain = (options) =>
  convertsResults((result) => functions.instanceToPlain(result, options));

/** class-transformer's `TransformPlainToInstance`, compiled. */
export const TransformPlainToInstance: typeof library.TransformPlainToInstance = (type, options) =>
  convertsResults((result): unknown => functions.plainToInstance(type, result, options));

/** All of class-transformer, for the option `transformerPackage` of Nest's own pipe and interceptor. */
export const transformerPackage: typeof library = {
  ...library,
  ...functions,
  ClassTransformer,
  TransformInstanceToPlain,
  TransformPlainToInstance,
};

type Method = (this: unknown, ...given: unknown[]) => unknown;

/** Converts what a method returns, or what its promise resolves to. */
function convertsResults(convert: (result: unknown) => unknown): MethodDecorator {
  return (_target, _name, descriptor: PropertyDescriptor) => {
    const method: Method = descriptor.value;
    descriptor.value = function (this: unknown, ...given: unknown[]): unknown {
      const result = method.apply(this, given);
      return isThenable(result) ? result.then(convert) : convert(result);
    };
  };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return Boolean(value) && typeof Reflect.get(Object(value), 'then') === 'function';
}
