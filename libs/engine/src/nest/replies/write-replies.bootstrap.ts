import {
  ClassSerializerInterceptor as NestInterceptor,
  type ClassSerializerInterceptorOptions,
} from '@nestjs/common';
import { reportNotCompiled, whyNoRules } from '../../shapes/not-compiled';
import { ClassSerializerInterceptor } from '../class-serializer.interceptor';
import { whyNestIsLeft } from '../installed-nest.bootstrap';
import { Replies } from './replies.interceptor';
import { replaceResponders } from './router-context.internals';

/** The part of an application that is used. */
export interface ReplyingApplication {
  useGlobalInterceptors(...interceptors: NestInterceptor[]): unknown;
}

/** Nest's `Reflector`, as far as the interceptor calls it. */
const reflector = {
  getAllAndOverride: (key: unknown, targets: readonly Function[]): unknown =>
    targets.map((target): unknown => Reflect.getMetadata(key, target)).find((found) => found !== undefined),
};

/**
 * Sends what a global `ClassSerializerInterceptor` would send, without an interceptor: the JSON of a result is written from
 * its instances. Call it in its place, before `app.listen()` or `app.init()`.
 *
 * It is as if the interceptor were the outermost. Programs that write JSON in their own way get plain objects, as from the
 * interceptor; so do results that become instances of the route's class first. A router of Nest that is not known gets
 * the interceptor.
 *
 * @param options of the interceptor
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
