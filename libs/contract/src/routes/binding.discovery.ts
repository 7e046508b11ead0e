import type { ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type ResponseExplanation, type ResponseWriter, UnboundSerializationError } from '@app/engine';
import type { WriterOf } from '../audiences/writers-by-caller';
import type { ResponseRequirements } from './response-findings.discovery';
import { responseDeclarationOf } from './returns.decorator';
import { handlerOf, serializeOptionsOf } from './declared-response.discovery';
import type { DeclaredResponse } from './route-response';
import { handlersOf } from './handlers.discovery';

/** A response part that compiled code does not write. */
export interface LeftToLibrary {
  /** The route, such as `GET /users/:id`. */
  readonly route: string;
  /** The name of the class; `undefined` for the whole response. */
  readonly type: string | undefined;
  readonly reason: string;
}

/**
 * Returns the responses that class-transformer writes because compiled code could not be exact, with the reasons. For tests and
 * diagnosis only, because it compiles all unused writers.
 */
export function responsesLeftToLibrary(app: NestFastifyApplication): readonly LeftToLibrary[] {
  const routes = bound.get(app.getHttpAdapter())?.explained ?? [];
  return routes.flatMap(({ route, explain }): LeftToLibrary[] => {
    // The first call compiles the writers of the parts, the second one includes them.
    explain();
    const { mode, reason = '', classes } = explain();
    if (mode === 'library') return [{ route, type: undefined, reason }];
    const left = classes.filter((explained) => explained.mode === 'library');
    return left.map((explained) => ({ route, type: explained.name, reason: explained.reason ?? '' }));
  });
}

/** The routing context of a program. */
export interface Binding extends ResponseRequirements {
  /** The writers, shared by all routes of a handler. A `GET` route also has a `HEAD` route. */
  readonly writers: WeakMap<DeclaredResponse, ResponseWriter>;
  /** The writers by caller, for classes with audiences. */
  readonly writersByCaller: WeakMap<DeclaredResponse, WriterOf>;
  readonly explained: { readonly route: string; readonly explain: () => ResponseExplanation }[];
}

/** The bindings by the program's adapter. */
export const bound = new WeakMap<object, Binding>();

/**
 * Aborts the start of a program in which `@Returns` or `@SerializeOptions` would have no effect.
 *
 * @param modules the program's modules
 * @param adapter the program's adapter, after route registration
 * @throws UnboundSerializationError naming the controllers
 */
export function assertBoundSerialization(modules: ModulesContainer, adapter: object): void {
  if (bound.has(adapter)) return;
  const speaking = handlersOf(modules).filter(
    ({ controller, name }) =>
      responseDeclarationOf(handlerOf(controller, name)) !== undefined ||
      serializeOptionsOf(controller, name),
  );
  const controllers = new Set(speaking.map(({ controller }) => controller.name));
  if (controllers.size > 0) throw new UnboundSerializationError([...controllers]);
}
