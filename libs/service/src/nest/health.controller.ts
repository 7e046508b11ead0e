import { Public } from '@app/auth';
import { ErrorResponses } from '@app/contract';
import { Answers } from '@app/serialization';
import { Schema } from '@app/shapes';
import { Controller, Get, Res } from '@nestjs/common';
import { Exclude, Expose, Type } from 'class-transformer';
import type { FastifyReply } from 'fastify';
import { Draining } from './draining';
import { StoreCheck } from './store-check';

/** What was looked at to tell how the program does. */
@Exclude()
class HealthChecks {
  @Expose() @Schema({ enum: ['ok', 'unavailable'] }) store!: 'ok' | 'unavailable';
  /** `false` while the store is read-only or its disk is full: reads are answered, writes with 503. */
  @Expose() writes!: boolean;
}

/** How the program does, for whoever runs it. */
@Exclude()
class Health {
  @Expose() @Schema({ enum: ['ok', 'unavailable', 'draining'] }) status!: 'ok' | 'unavailable' | 'draining';
  @Expose()
  @Type(() => HealthChecks)
  @Schema({}, { isOptional: true })
  checks?: HealthChecks;
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
  @Answers(Health)
  live(): Health {
    return { status: 'ok' };
  }

  /** 200 when requests can be served; 503 while the store is away or the program ends. */
  @Get(['', 'ready'])
  @Answers(Health)
  @ErrorResponses([503, Health])
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Health> {
    const state = await this.store.state();
    const status = this.draining.hasBegun ? 'draining' : state === 'unavailable' ? 'unavailable' : 'ok';
    if (status !== 'ok') void reply.code(503).header('Retry-After', retryAfterSeconds);
    if (state === 'none') return { status };
    return { status, checks: { store: state === 'unavailable' ? state : 'ok', writes: state === 'ok' } };
  }
}
