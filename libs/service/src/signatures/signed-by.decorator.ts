import { ErrorResponses } from '@app/contract';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { KeyInProgressError } from '../idempotency/errors';
import type { Admission } from '../rate-limit/admission';
import { interceptedDecorator } from '../routes/handler.interceptor';
import { InvalidSignatureError } from './errors';
import type { SignatureScheme } from './schemes';
import { Signature, verifiedEventId } from './signature';

declare module 'fastify' {
  interface FastifyContextConfig {
    signedBy?: SignatureScheme;
    signature?: Signature;
  }
}

const schemes = new WeakMap<object, SignatureScheme>();

/**
 * Accepts webhooks that their sender signed: `@SignedBy(stripe({ secret: 'STRIPE_WEBHOOK_SECRET' }))` on a public POST. The
 * signature is verified before the body is parsed. An event has a single effect: a second delivery within 24 hours gets the first
 * response, as with `@Idempotent()`. A request without a valid signature gets a 400.
 */
export function SignedBy(scheme: SignatureScheme): MethodDecorator {
  const intercepted = interceptedDecorator((handler) => {
    schemes.set(handler, scheme);
    const config: object | undefined = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler);
    Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG_METADATA, { ...config, signedBy: scheme }, handler);
  });
  const responses = ErrorResponses(InvalidSignatureError, KeyInProgressError);
  return (target, name, descriptor) => {
    responses(target, name, descriptor);
    intercepted(target, name, descriptor);
  };
}

/** Returns the {@link SignedBy} scheme of a handler (the method itself). */
export function signatureSchemeOf(handler: object): SignatureScheme | undefined {
  return schemes.get(handler);
}

/** Verifies the requests of routes with a scheme. Call it before `init`, which throws a SettingsError without secrets. */
export function verifySignatures(server: Pick<FastifyInstance, 'addHook'>, settings: object): void {
  server.addHook('onRoute', (route: RouteOptions) => {
    const { signedBy } = route.config ?? {};
    if (signedBy === undefined) return;
    const signature = new Signature(signedBy, { ...settings }, `${String(route.method)} ${route.url}`);
    route.config = { ...route.config, signature };
  });
}

/** Refuses requests that were not verified, before the rate limit and the validation. */
export function admitSigned(admit: Admission | undefined): Admission {
  return (request, reply) => {
    verifiedEventId(request);
    admit?.(request, reply);
  };
}
