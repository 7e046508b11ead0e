import { Schema } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';

/** The last run of a background job. */
@Exclude()
export class JobResult {
  /**
   * The job's name.
   *
   * @example nightly-report
   */
  @Expose() name!: string;
  /** The start of the last run: ISO 8601, UTC, milliseconds; null before a run. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) startedAt!: Date | null;
  /** The end of the last run. It is earlier than the start while the job runs, or after its program was killed. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) endedAt!: Date | null;
  /**
   * The error of the run that ended last; null after a success.
   *
   * @example Error: the printer is unavailable
   */
  @Expose() @Schema({ type: ['string', 'null'] }) failure!: string | null;
}
