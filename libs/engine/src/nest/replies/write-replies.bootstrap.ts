import {
  ClassSerializerInterceptor as NestInterceptor,
  type ClassSerializerInterceptorOptions,
} from '@nestjs/common';
import { reportNotCompiled, whyNoRules } from '../../shapes/not-compiled';
import { ClassSerializerInterceptor } from '../class-serializer.interceptor';
import { whyNestIsLeft } from '../installed-nest.bootstrap';
import { Replies } from './replies.interceptor';
import { replaceResponders } from './router-context.internals';

/** The application members that are used here. */
export interface ReplyingApplication {
  useGlobalInterceptors(...interceptors: NestInterceptor[]): unknown;
}

/** The members of Nest's `Reflector` that the interceptor calls. */
const reflector = {
  getAllAndOverride: (key: unknown, targets: readonly Function[]): unknown =>
    targets.map((target): unknown => Reflect.getMetadata(key, target)).find((value) => value !== undefined),
};

/**
 * Sends the same responses as a global `ClassSerializerInterceptor`, but without an interceptor. It writes a result's JSON from
 * its instances. Call it instead, before `app.listen()` or `app.init()`.
 *
 * It works like the outermost interceptor. Programs that write JSON in their own way get plain objects, like from the
 * interceptor; so do results that become instances of the route's class first. With an unknown Nest router, the interceptor is
 * used.
 *
 * @param options the interceptor options
 */
export function writeReplies(
  app: ReplyingApplication,
  options: ClassSerializerInterceptorOptions = {},
): void {
  const isTested = whyNestIsLeft() === undefined;
  const interceptor = new (isTested ? ClassSerializerInterceptor : NestInterceptor)(reflector, options);
  const isKnown = isTested && !options.transformerPackage && whyNoRules() === undefined;
  const isReplaced =
    isKnown &&
    replaceResponders(app, (base, controller, handler) => {
      const ofRoute: object | undefined = reflector.getAllAndOverride(KEY, [handler, controller]) ?? {};
      return new Replies(base, interceptor, { ...options, ...ofRoute }).controller();
    });
  if (isReplaced) return;
  app.useGlobalInterceptors(interceptor);
  if (isKnown)
    reportNotCompiled(
      'the router of this NestJS is not known, so that replies are written by an interceptor',
    );
}

const KEY = 'class_serializer:options';
