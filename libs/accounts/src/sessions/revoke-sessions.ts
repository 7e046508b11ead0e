import { IfGiven } from '@app/contract';
import type { FastifyReply } from 'fastify';
import { IsIn } from 'class-validator';

/** The access that is revoked besides all sessions. */
export class RevokeSessionsQuery {
  /** The effect on API keys. `end` also revokes them; the default `keep` keeps them. */
  @IfGiven()
  @IsIn(['keep', 'end'])
  apiKeys?: 'keep' | 'end';
}

/** The response header with the number of API keys that still work after the other access to the account was revoked. */
const header = 'Active-API-Keys';

/** Sends the caller the number of API keys that still work. */
export function sendActiveKeys(reply: FastifyReply, count: number): void {
  void reply.header(header, count);
}
