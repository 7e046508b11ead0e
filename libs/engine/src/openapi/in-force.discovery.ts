import { ClassSerializerInterceptor, ValidationPipe } from '@nestjs/common';
import type { InputChoice, OutputChoice } from './choices';

/** The parts of an application that are read, as @nestjs/swagger reads them. */
export interface Application {
  readonly container: { getModules(): ReadonlyMap<string, ApplicationModule> };
  readonly config: { getGlobalPipes(): readonly unknown[]; getGlobalInterceptors(): readonly unknown[] };
}

interface ApplicationModule {
  readonly controllers: ReadonlyMap<unknown, { readonly metatype: unknown }>;
}

/** Every controller, once. */
export function controllersOf({ container }: Application): Function[] {
  const all = [...container.getModules().values()].flatMap(({ controllers }) =>
    Array.from(controllers.values()),
  );
  const types = all.map(({ metatype }) => metatype).filter((type) => typeof type === 'function');
  return [...new Set(types)];
}

/**
 * How a parameter is validated, by Nest's pipe of the program, its controller, its handler or itself: the last of them
 * decides about groups, any of them about unknown members.
 *
 * @returns `undefined` without a pipe that validates
 */
export function inputChoice(
  { config }: Application,
  controller: Function,
  method: Function,
  own: readonly unknown[],
): InputChoice | undefined {
  const pipes = [
    ...config.getGlobalPipes(),
    ...noted('__pipes__', controller),
    ...noted('__pipes__', method),
    ...own,
  ];
  const found = pipes.flatMap((pipe) => optionsOf(pipe) ?? []);
  const last = found.at(-1);
  return (
    last && {
      groups: last.groups ?? [],
      whitelist: found.some(({ whitelist }) => whitelist),
      refusesUnknown: found.some(({ whitelist, forbidNonWhitelisted }) => whitelist && forbidNonWhitelisted),
    }
  );
}

interface ValidatorOptions {
  readonly groups?: readonly string[];
  readonly whitelist?: boolean;
  readonly forbidNonWhitelisted?: boolean;
}

/** A pipe that is named by its class has no options. */
function optionsOf(pipe: unknown): ValidatorOptions | undefined {
  if (isSubclass(pipe, ValidationPipe)) return {};
  if (!(pipe instanceof ValidationPipe)) return undefined;
  const options: ValidatorOptions = Reflect.get(pipe, 'validatorOptions') ?? {};
  return options;
}

/** @returns `undefined` without Nest's interceptor, which sends results as they are */
export function outputChoice(
  { config }: Application,
  controller: Function,
  method: Function,
): OutputChoice | undefined {
  const interceptors = [
    ...config.getGlobalInterceptors(),
    ...noted('__interceptors__', controller),
    ...noted('__interceptors__', method),
  ];
  const found = interceptors.filter(
    (one) => one instanceof ClassSerializerInterceptor || isSubclass(one, ClassSerializerInterceptor),
  );
  const last = found.at(-1);
  if (last === undefined) return undefined;
  const options: Partial<OutputChoice> = {
    ...Reflect.get(Object(last), 'defaultOptions'),
    ...(Reflect.getMetadata(SERIALIZE, method) ?? Reflect.getMetadata(SERIALIZE, controller)),
  };
  const { groups = [], version, strategy, excludePrefixes, type } = options;
  return { groups, version, strategy, excludePrefixes, type };
}

const SERIALIZE = 'class_serializer:options';

function noted(key: string, target: Function): readonly unknown[] {
  const list: readonly unknown[] = Reflect.getMetadata(key, target) ?? [];
  return list;
}

function isSubclass(type: unknown, base: Function): boolean {
  return type === base || (typeof type === 'function' && type.prototype instanceof base);
}
