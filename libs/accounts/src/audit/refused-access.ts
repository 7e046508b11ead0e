import { HttpError } from '@app/http-errors';
import type { RefusedAccess } from '@app/auth';
import { Repeat } from '@app/persistence';
import type { AuditEvent, AuditLog } from './audit-log';

const PERIOD_MS = 60_000;
/** The most callers and error codes with counted refusals. Refusals beyond it are not recorded before the next period. */
const MAX_COUNTED = 10_000;

interface Counted {
  readonly event: AuditEvent & { readonly detail: Readonly<Record<string, string>> };
  /** The number of refusals after the first, which was recorded. */
  times: number;
}

/**
 * Records the guard's 403s in few events. For each caller and error it records the first refusal in a period at once, and counts
 * further refusals in a single event when the period ends.
 */
export class RefusedAccessLog {
  private counted = new Map<string, Counted>();
  private readonly timer = new Repeat(() => this.flush(), PERIOD_MS);
  private writing: Promise<void> = Promise.resolve();

  /** @param onFailure a function that is called if events could not be recorded */
  constructor(
    private readonly audit: AuditLog,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  start(): void {
    this.timer.start();
  }

  /** Ends the last period and writes its counts. */
  async stop(): Promise<void> {
    await this.timer.stop();
    await this.flush();
  }

  /** Records a refusal and returns at once, so that the response does not wait for the event. */
  record(refused: RefusedAccess): void {
    const event = eventOf(refused);
    const { accountId, detail } = event;
    const key = JSON.stringify([accountId, detail.issuer, detail.subject, detail.code]);
    const counted = this.counted.get(key);
    if (counted !== undefined) counted.times += 1;
    else if (this.counted.size < MAX_COUNTED) {
      this.counted.set(key, { event, times: 0 });
      this.write([event]);
    }
  }

  /** Ends the period and writes its counts. */
  private flush(): Promise<void> {
    const repeated: AuditEvent[] = [];
    for (const { event, times } of this.counted.values())
      if (times > 0) repeated.push({ ...event, detail: { ...event.detail, times } });
    this.counted = new Map();
    this.write(repeated);
    return this.writing;
  }

  /** Writes events in turn, so that a flood from many callers takes a single connection to the store. */
  private write(events: readonly AuditEvent[]): void {
    this.writing = this.writeAfter(this.writing, events);
  }

  private async writeAfter(earlier: Promise<void>, events: readonly AuditEvent[]): Promise<void> {
    await earlier;
    try {
      for (const event of events) await this.audit.record(event);
    } catch (error) {
      this.onFailure(error);
    }
  }
}

function eventOf({ caller, error, route, ip }: RefusedAccess): Counted['event'] {
  const { userId, issuer, subject } = caller;
  const accountId = typeof userId === 'number' ? userId : undefined;
  const detail = {
    code: (error instanceof HttpError && error.reply.problem?.code) || 'forbidden',
    route,
    // A trusted issuer's callers may have no account.
    ...(typeof issuer === 'string' && typeof subject === 'string' && { issuer, subject }),
  };
  return { kind: 'access-refused', accountId, ip, detail };
}
