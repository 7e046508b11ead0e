import { IfGiven } from '@app/validation';
import type { FastifyReply } from 'fastify';
import { IsIn } from 'class-validator';

/** What ends besides all sessions. */
export class EndSessionsQuery {
  /** `end` revokes the API keys as well; default `keep`. */
  @IfGiven()
  @IsIn(['keep', 'end'])
  apiKeys?: 'keep' | 'end';
}

/** The response header that tells how many API keys of the account still work after its other access has ended. */
const header = 'Active-API-Keys';

/** Tells the caller how many API keys still work. */
export function tellActiveKeys(reply: FastifyReply, count: number): void {
  void reply.header(header, count);
}
