import { Roles, UseStrategy } from '@app/auth';
import { inSection, RateLimit, Returns } from '@app/contract';
import { Controller, Get } from '@nestjs/common';
import { ProgramMetrics } from './program-metrics.service';

/** The program's metrics, including its workers, for administrators. */
@Controller('metrics')
@Roles('admin')
@UseStrategy('jwt', 'api-key')
@RateLimit('off')
export class MetricsController {
  constructor(private readonly metrics: ProgramMetrics) {}

  /** Returns the program's metrics in the Prometheus text format. */
  @Get()
  @Returns('text')
  read(): Promise<string> {
    return this.metrics.renderAll();
  }
}

inSection('service', [MetricsController]);
