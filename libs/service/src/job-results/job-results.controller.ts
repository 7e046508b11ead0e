import { Roles } from '@app/auth';
import { Returns } from '@app/contract';
import { Database } from '@app/persistence';
import { Controller, Get } from '@nestjs/common';
import { JobResult } from './job-results.dto';

/** The background jobs of all programs on the database, for administrators. */
@Controller('jobs')
@Roles('admin')
export class JobResultsController {
  constructor(private readonly db: Database) {}

  /** Lists the background jobs by name, with the result of the last run. */
  @Get()
  @Returns([JobResult])
  list(): Promise<JobResult[]> {
    const columns = ['kind as name', 'startedAt', 'endedAt', 'failure'] as const;
    return this.db.selectFrom('jobLease').select(columns).orderBy('kind').execute();
  }
}
