import type { ArgumentsHost, INestApplication } from '@nestjs/common';
import type { ExceptionsHandler } from '@nestjs/core/exceptions/exceptions-handler.js';
import { RouterExceptionFilters } from '@nestjs/core/router/router-exception-filters.js';
import type { FastifyReply } from 'fastify';

/**
 * Lets what an application's filters send leave as they send it. A route is held to what it declares, whatever the
 * status; the reply to an error is none of that, and would be cut down to the fields of the route's class.
 *
 * Nest has no public place that is passed by whatever failed before its filters are asked. Here the maker of their chain
 * is wrapped, for this program alone.
 *
 * @param app before it is initialised, which makes the chains
 * @throws TypeError if this Nest keeps that maker elsewhere
 */
export function letFiltersAnswer(app: INestApplication): void {
  const chains = chainsOf(app);
  const create = chains.create.bind(chains);
  chains.create = (...route) => {
    const chain = create(...route);
    const next = chain.next.bind(chain);
    chain.next = (error: Error, host: ArgumentsHost) => {
      unbind(host.getArgByIndex(1));
      next(error, host);
    };
    return chain;
  };
}

function chainsOf(app: INestApplication): { create: MakeChain } {
  const resolver: unknown = Reflect.get(app, 'routesResolver');
  const chains: unknown = Object(resolver).routerExceptionsFilter;
  if (chains instanceof RouterExceptionFilters) return chains;
  throw new TypeError('Nest keeps its exception filters elsewhere: mend answers-of-filters.ts');
}

type MakeChain = (...route: Parameters<RouterExceptionFilters['create']>) => ExceptionsHandler;

/** In a middleware there is no reply yet, and no route that anything could be held to. */
function unbind(reply: FastifyReply | { readonly serializer?: undefined }): void {
  if (reply.serializer === undefined) return;
  reply.serializer((body: unknown) => {
    if (typeof body === 'string') return body;
    if (!reply.hasHeader('content-type')) void reply.type('application/json; charset=utf-8');
    return JSON.stringify(body);
  });
}
