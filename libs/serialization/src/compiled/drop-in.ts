import {
  type ClassTransformOptions,
  instanceToPlain as referenceToPlain,
  plainToInstance,
} from 'class-transformer';
import { compileSerializer, type Serializer } from './compile-serializer';

/** How many sets of options are remembered; a service that makes new ones all the time gains nothing from us. */
const KNOWN_OPTIONS = 256;

const serializers = new Map<string, Serializer>();

/** What decides how values are written, in an order of its own. */
const DECIDING = [
  'groups',
  'version',
  'strategy',
  'excludeExtraneousValues',
  'exposeUnsetFields',
  'exposeDefaultValues',
  'enableImplicitConversion',
  'enableCircularCheck',
  'excludePrefixes',
  'ignoreDecorators',
] as const satisfies (keyof ClassTransformOptions)[];

const known: ReadonlySet<string> = new Set(DECIDING);

/**
 * class-transformer's `instanceToPlain`, with the same signature and the same answers, compiled at the first value
 * of a class under some options.
 *
 * Options that class-transformer does not know are passed on to transforms, so a call that has some goes to it.
 */
export function instanceToPlain(
  object: readonly unknown[],
  options?: ClassTransformOptions,
): Record<string, unknown>[];
export function instanceToPlain(object: unknown, options?: ClassTransformOptions): Record<string, unknown>;
export function instanceToPlain(object: unknown, options: ClassTransformOptions = {}): unknown {
  const serializer = serializerFor(options);
  return serializer ? serializer.toPlain(object) : referenceToPlain(object, options);
}

/** For the stock interceptor's `transformerPackage`, and whoever else wants class-transformer whole. */
export const compiledTransformer = {
  instanceToPlain,
  classToPlain: instanceToPlain,
  plainToInstance,
  plainToClass: plainToInstance,
};

function serializerFor(options: ClassTransformOptions): Serializer | undefined {
  const names = Object.keys(options);
  if (!names.every((name) => known.has(name))) return undefined;
  const key =
    names.length === 0
      ? ''
      : JSON.stringify(
          DECIDING.map((name) => [
            typeof options[name] === 'number' ? String(options[name]) : options[name],
            name in options,
          ]),
        );
  const found = serializers.get(key);
  if (found || serializers.size >= KNOWN_OPTIONS) return found;
  const made = compileSerializer(
    Object,
    options.groups ? { ...options, groups: [...options.groups] } : { ...options },
  );
  serializers.set(key, made);
  return made;
}
