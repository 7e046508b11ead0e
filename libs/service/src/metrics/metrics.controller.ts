import { Roles, UseStrategy } from '@app/auth';
import { inSection, RateLimit, Returns } from '@app/contract';
import { Controller, Get } from '@nestjs/common';
import { ProgramMetrics } from './program-metrics.service';

/** The metrics of this program, of all its workers, for administrators. A program that has this route collects them. */
@Controller('metrics')
@Roles('admin')
@UseStrategy('jwt', 'api-key')
@RateLimit('off')
export class MetricsController {
  constructor(private readonly metrics: ProgramMetrics) {}

  /** Returns the metrics of the program, in the text format of Prometheus. */
  @Get()
  @Returns('text')
  read(): Promise<string> {
    return this.metrics.renderAll();
  }
}

inSection('service', [MetricsController]);
