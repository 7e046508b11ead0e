import { Drain } from '@app/persistence';
import { mailChannels, type MailOutcome } from '../channels';
import { MailDeferredError, MailRefusedError, MailServerError } from '../errors';
import type { MailTransport } from '../mail';
import type { ClaimedMail, Outbox } from '../outbox/outbox';

/** A failed attempt, for the log. It contains no address or text. */
export interface MailFailure {
  readonly mail: number;
  readonly kind: string;
  readonly attempts: number;
  /** The status and the command. */
  readonly failure: string;
  /** Whether the mail is not sent again. */
  readonly isFinal: boolean;
}

/** Sends the mails in the outbox in round-robin order, several at once. Several programs may share an outbox. */
export class MailSender {
  /** The mails that the server accepted and the store has not recorded yet. */
  private readonly unrecorded = new Set<number>();
  private readonly drain: Drain<ClaimedMail>;

  /** @param connections mails that are sent at once */
  constructor(
    private readonly outbox: Outbox,
    private readonly transport: MailTransport,
    connections: number,
    private readonly report: (failure: MailFailure) => void,
  ) {
    this.drain = new Drain(
      () => outbox.claim(),
      (mail) => this.deliver(mail),
      connections,
    );
  }

  /** Sends all due mails. It stops early when the server fails, because the remaining mails would fail too. */
  async sendDue(): Promise<void> {
    for (const id of this.unrecorded) await this.recordSent(id);
    await this.drain.run();
  }

  /** Makes {@link sendDue} end after the mails in progress. */
  stop(): void {
    this.drain.stop();
  }

  /** @returns whether the server is working */
  private async deliver(mail: ClaimedMail): Promise<boolean> {
    if (!this.unrecorded.has(mail.id)) {
      try {
        if (isUnroutable(mail)) throw new MailRefusedError('recipient of the domain invalid');
        await this.transport.send(mail);
      } catch (error) {
        return this.handle(error, mail);
      }
    }
    await this.recordSent(mail.id);
    return true;
  }

  /**
   * Records a sent mail. The id is kept in memory until then, so that the mail is not sent again while the store is read-only.
   */
  private async recordSent(id: number): Promise<void> {
    this.unrecorded.add(id);
    await this.outbox.markSent(id);
    this.unrecorded.delete(id);
  }

  private async handle(error: unknown, mail: ClaimedMail): Promise<boolean> {
    if (error instanceof MailRefusedError) {
      this.reportFailure(mail, error.failure, true);
      await this.outbox.giveUp(mail.id, error.failure);
      return true;
    }
    if (!(error instanceof MailDeferredError || error instanceof MailServerError)) throw error;
    this.reportFailure(mail, error.failure, false);
    await this.outbox.retryLater(mail, error.failure);
    return error instanceof MailDeferredError;
  }

  private reportFailure({ id, kind, attempts }: ClaimedMail, failure: string, isFinal: boolean): void {
    const outcome: MailOutcome = isFinal ? 'rejected' : 'deferred';
    mailChannels.failed.publish(outcome);
    this.report({ mail: id, kind, attempts, failure, isFinal });
  }
}

/** Returns whether the recipient belongs to an account without an e-mail (RFC 2606 §2). */
function isUnroutable({ recipient }: ClaimedMail): boolean {
  return recipient.endsWith('.invalid');
}
