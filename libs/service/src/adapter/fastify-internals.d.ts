/** What direct routes use of Fastify beside its interface; its version is pinned. NestJS imports the same file. */
declare module 'fastify/lib/symbols.js' {
  const symbols: {
    readonly kHooks: unique symbol;
    readonly kRouteContext: unique symbol;
    readonly kReplyHeaders: unique symbol;
    readonly kReplyIsError: unique symbol;
    readonly kReplySerializer: unique symbol;
    readonly kReplyTrailers: unique symbol;
    readonly kReplyStartTime: unique symbol;
    readonly kReplyEndTime: unique symbol;
  };
  export default symbols;
}

declare module 'fastify/lib/wrap-thenable.js' {
  import type { FastifyReply } from 'fastify';

  /** Sends what an asynchronous handler returns. */
  export default function wrapThenable(result: PromiseLike<unknown>, reply: FastifyReply): void;
}
