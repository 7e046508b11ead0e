import type { ArgumentsHost, INestApplication } from '@nestjs/common';
import type { ExceptionsHandler } from '@nestjs/core/exceptions/exceptions-handler.js';
import { RouterExceptionFilters } from '@nestjs/core/router/router-exception-filters.js';
import type { FastifyReply } from 'fastify';

/**
 * Lets replies of an application's exception filters bypass the route's serializer, which would strip them to the fields of
 * the class that the route declares.
 *
 * Nest has no public hook between a failure and its filters, so the factory of their chains is wrapped, for this program
 * only.
 *
 * @param app before `init`, which creates the chains
 * @throws TypeError if this version of Nest has that factory elsewhere
 */
export function bypassSerializerInFilters(app: INestApplication): void {
  const chains = chainsOf(app);
  const create = chains.create.bind(chains);
  chains.create = (...route) => {
    const chain = create(...route);
    const next = chain.next.bind(chain);
    chain.next = (error: Error, host: ArgumentsHost) => {
      bypassSerializer(host.getArgByIndex(1));
      next(error, host);
    };
    return chain;
  };
}

function chainsOf(app: INestApplication): { create: MakeChain } {
  const resolver: unknown = Reflect.get(app, 'routesResolver');
  const chains: unknown = Object(resolver).routerExceptionsFilter;
  if (chains instanceof RouterExceptionFilters) return chains;
  throw new TypeError(
    'this version of Nest has its exception filters elsewhere: update filter-replies.bootstrap.ts',
  );
}

type MakeChain = (...route: Parameters<RouterExceptionFilters['create']>) => ExceptionsHandler;

/** In a middleware there is neither a Fastify reply nor a route yet. */
function bypassSerializer(reply: FastifyReply | { readonly serializer?: undefined }): void {
  if (reply.serializer === undefined) return;
  reply.serializer((body: unknown) => {
    if (typeof body === 'string') return body;
    if (!reply.hasHeader('content-type')) void reply.type('application/json; charset=utf-8');
    return JSON.stringify(body);
  });
}
