import { ValidationPipe as NestValidationPipe } from '@nestjs/common';
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import { isInputClass, type RouteParameter } from '../input-findings/route-parameter';
import { GroupedSchema } from '@app/engine';
import { stripsUnknown } from './body.decorator';

/** The key of a parameter decorator's metadata: `3:0` → the body, first parameter. */
interface DeclaredArgument {
  readonly index: number;
  readonly data?: unknown;
  readonly pipes?: readonly unknown[];
  readonly schema?: unknown;
}

/** The input decorators, by their numbers in Nest. */
const places = new Map<string, RouteParameter['from']>([
  [String(RouteParamtypes.BODY), 'body'],
  [String(RouteParamtypes.QUERY), 'query'],
  [String(RouteParamtypes.PARAM), 'path'],
]);

/**
 * Returns a handler's input parameters, in order. Parameters with custom decorators, `@Req`, `@Res` or `@Headers` are left out.
 *
 * @param handler the method name
 */
export function parametersOf(controller: Function, handler: string): readonly RouteParameter[] {
  const { prototype }: { prototype: object } = controller;
  const types: readonly unknown[] = Reflect.getMetadata(PARAMTYPES_METADATA, prototype, handler) ?? [];
  const declared: Record<string, DeclaredArgument> =
    Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {};
  return Object.entries(declared)
    .flatMap(([key, argument]) => {
      const from = places.get(kindOf(key));
      return from ? [readParameter(from, argument, types[argument.index])] : [];
    })
    .toSorted((left, right) => left.index - right.index);
}

/** Returns the kind in a key: `3` for `3:0`. The key of a custom decorator begins with a name. */
function kindOf(key: string): string {
  return key.slice(0, key.indexOf(':'));
}

function readParameter(
  from: RouteParameter['from'],
  { index, data, pipes = [], schema }: DeclaredArgument,
  noted: unknown,
): RouteParameter {
  const grouped = schema instanceof GroupedSchema ? schema : undefined;
  const type = grouped?.type ?? expectedTypeOf(pipes) ?? noted;
  return {
    index,
    from,
    field: typeof data === 'string' ? data : undefined,
    noted,
    type: isInputClass(type) ? type : undefined,
    groups: grouped?.groups ?? [],
    schema: grouped,
    stripsUnknown: stripsUnknown(schema),
    pipes,
  };
}

/** A parameter may have its own pipe, which receives its class. */
function expectedTypeOf(pipes: readonly unknown[]): unknown {
  return pipes
    .filter((pipe) => pipe instanceof NestValidationPipe)
    .map((pipe): unknown => Reflect.get(pipe, 'expectedType'))
    .find((type) => type !== undefined);
}
