import {
  ClassSerializerInterceptor as NestInterceptor,
  type ClassSerializerInterceptorOptions,
  type Type,
} from '@nestjs/common';

/** A package that converts instances. */
export type TransformerPackage = NonNullable<ClassSerializerInterceptorOptions['transformerPackage']>;

type Options = Parameters<NestInterceptor['transformToPlain']>[1];
type MakeInstance = (type: Type, row: object, options?: Options) => object;

/** What the installed Nest calls to make an instance of a row. */
interface InstanceCall {
  readonly name: 'plainToInstance' | 'plainToClass';
  /** Since Nest 11, with the options of the route; before, without any. */
  readonly passesOptions: boolean;
}

/** As the `transformToPlain` of Nest's interceptor, with one package, whatever other interceptors were created with. */
export function toPlain(used: TransformerPackage, value: object, options: Options): object {
  const { type } = options;
  if (!type || value instanceof type) return plainOf(used, value, options);
  const { name, passesOptions } = instanceCall();
  // Nest's own type of a package differs between its versions.
  const make: MakeInstance = Reflect.get(used, name);
  const made = passesOptions ? make(type, value, options) : make(type, value);
  return plainOf(used, made, options);
}

function plainOf(used: TransformerPackage, value: object, options: Options): object {
  return used.classToPlain(value, options) as object;
}

let known: InstanceCall | undefined;

/**
 * Asks the installed Nest once, by an interceptor with a package of ours. Nest's interceptors use the package of the one
 * that was created last, so call it before another is created.
 */
export function instanceCall(): InstanceCall {
  return (known ??= askedInstanceCall());
}

function askedInstanceCall(): InstanceCall {
  let found: InstanceCall | undefined;
  const makeBy =
    (name: InstanceCall['name']) =>
    <T>(type: Type<T>, ...more: unknown[]): T => {
      found = { name, passesOptions: more[1] !== undefined };
      return new type();
    };
  const transformerPackage = {
    plainToInstance: makeBy('plainToInstance'),
    plainToClass: makeBy('plainToClass'),
    classToPlain: Object,
  };
  new NestInterceptor(undefined, { transformerPackage }).transformToPlain({}, { type: class Asked {} });
  return found!;
}
