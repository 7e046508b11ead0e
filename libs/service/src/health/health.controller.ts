import { Public } from '@app/auth';
import { ErrorResponses, RateLimit, Returns, Schema } from '@app/contract';
import { Controller, Get, Res, type Type as Class } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Exclude, Expose, Type } from 'class-transformer';
import type { FastifyReply } from 'fastify';
import { GracefulShutdown } from '../shutdown/graceful-shutdown.service';
import { healthToken } from './health-check.providers';
import { StoreCheck } from './store-check';

const retryAfterSeconds = '5';

/**
 * Makes the controller for the health routes.
 *
 * @param names the plugins' health checks, which become members of the response
 */
export function healthController(names: readonly string[]): Class {
  /** The result of each health check. */
  @Exclude()
  class HealthChecks {
    @Expose() @Schema({ enum: ['ok', 'unavailable'] }) store!: 'ok' | 'unavailable';
    /** `false` while the store is read-only or its disk is full. Reads then succeed, and writes get 503. */
    @Expose() writes!: boolean;
    /** The replica's state; absent without a replica. Unless it is `ok`, lists come from the primary. */
    @Expose()
    @Schema({ enum: ['ok', 'lagging', 'unavailable'] }, { isOptional: true })
    replica?: 'ok' | 'lagging' | 'unavailable';
  }
  for (const name of names)
    for (const decorate of [Expose(), Schema({ enum: ['ok', 'unavailable'] })])
      decorate(HealthChecks.prototype, name);

  /** The program's health. */
  @Exclude()
  class Health {
    @Expose() @Schema({ enum: ['ok', 'unavailable', 'draining'] }) status!: 'ok' | 'unavailable' | 'draining';
    @Expose()
    @Type(() => HealthChecks)
    @Schema({}, { isOptional: true })
    checks?: HealthChecks;
  }

  /** Liveness and readiness, for load balancers and supervisors. */
  @Controller('health')
  @Public()
  @RateLimit('off')
  class HealthController {
    constructor(
      private readonly store: StoreCheck,
      private readonly shutdown: GracefulShutdown,
      private readonly parts: ModuleRef,
    ) {}

    /** Liveness: 200 as long as the process responds. The store is not checked. */
    @Get('live')
    @Returns(Health)
    live(): Health {
      return { status: 'ok' };
    }

    /** Readiness, under the path that most supervisors probe. */
    @Get()
    @Returns(Health)
    @ErrorResponses([503, Health])
    status(@Res({ passthrough: true }) reply: FastifyReply): Promise<Health> {
      return this.ready(reply);
    }

    /** Readiness: 200 if requests can be served, 503 while the store is unavailable or the program shuts down. */
    @Get('ready')
    @Returns(Health)
    @ErrorResponses([503, Health])
    async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Health> {
      const [state, own] = await Promise.all([this.store.state(), this.ownChecks()]);
      const isWell = state !== 'unavailable' && own.every(([, result]) => result === 'ok');
      const status = this.shutdown.hasBegun ? 'draining' : isWell ? 'ok' : 'unavailable';
      if (status !== 'ok') void reply.code(503).header('Retry-After', retryAfterSeconds);
      if (state === 'none') return { status };
      const { replica } = this.store;
      const store = state === 'unavailable' ? state : ('ok' as const);
      const checks = { store, writes: state === 'ok', ...Object.fromEntries(own) };
      return { status, checks: replica === undefined ? checks : { ...checks, replica } };
    }

    private ownChecks(): Promise<(readonly [name: string, result: string])[]> {
      return Promise.all(
        names.map(async (name) => {
          const check: StoreCheck = this.parts.get(healthToken(name), { strict: false });
          return [name, await check.state()] as const;
        }),
      );
    }
  }
  return HealthController;
}
