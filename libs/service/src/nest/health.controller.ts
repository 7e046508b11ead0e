import { Public } from '@app/auth';
import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Draining } from './draining';
import { StoreCheck, type StoreState } from './store-check';

/** How the program does, for whoever runs it. */
interface Health {
  readonly status: 'ok' | 'unavailable' | 'draining';
  readonly checks?: { readonly store: Exclude<StoreState, 'none'> };
}

const retryAfterSeconds = '5';

/** Tells load balancers and supervisors whether to send requests, and whether to start the program anew. */
@Controller('health')
@Public()
export class HealthController {
  constructor(
    private readonly store: StoreCheck,
    private readonly draining: Draining,
  ) {}

  /** The process answers; nothing else is asked. */
  @Get('live')
  live(): Health {
    return { status: 'ok' };
  }

  /** 200 when requests can be served; 503 while the store is away or the program ends. */
  @Get(['', 'ready'])
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Health> {
    const state = await this.store.state();
    const status = this.draining.hasBegun ? 'draining' : state === 'unavailable' ? 'unavailable' : 'ok';
    if (status !== 'ok') void reply.code(503).header('Retry-After', retryAfterSeconds);
    return state === 'none' ? { status } : { status, checks: { store: state } };
  }
}
