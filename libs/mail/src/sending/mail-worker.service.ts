import { StoreUnavailableError, Repeat } from '@app/persistence';
import { isFirstWorker } from '@app/settings';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type MailFailure, MailSender } from './mail-sender';
import type { MailOptions } from '../options';
import type { Outbox } from '../outbox/outbox';
import { SmtpTransport } from './smtp-transport';
import { TerminalNotice } from './terminal-notice';

const INTERVAL_MS = 1000;

/** Sends the mails of the outbox while the program runs; without a server it shows their links in a terminal. */
export class MailWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Mail');
  private readonly sender: MailSender | undefined;
  private readonly repeat: Repeat;

  constructor(outbox: Outbox, { server, connections, from }: MailOptions) {
    const sender =
      server &&
      new MailSender(outbox, new SmtpTransport(server, from), connections, (failure) => this.log(failure));
    const notice = new TerminalNotice(outbox, (text) => void process.stdout.write(text));
    const task = () => (sender ? sender.sendDue() : notice.showNew());
    this.sender = sender;
    this.repeat = new Repeat(() => task().catch((error: unknown) => this.logError(error)), INTERVAL_MS);
  }

  /** Whether mails are sent, in addition to being stored. */
  get hasServer(): boolean {
    return this.sender !== undefined;
  }

  onApplicationBootstrap(): void {
    if (isFirstWorker() && (this.hasServer || process.stdout.isTTY)) void this.repeat.startNow();
  }

  async onModuleDestroy(): Promise<void> {
    this.sender?.stop();
    await this.repeat.stop();
  }

  private log({ isFinal, ...fields }: MailFailure): void {
    this.logger.warn({ ...fields, msg: isFinal ? 'mail rejected' : 'mail delivery failed' });
  }

  /** An unavailable store is logged elsewhere; the next run goes on. */
  private logError(error: unknown): void {
    if (!(error instanceof StoreUnavailableError)) this.logger.error('mail worker failed', error);
  }
}
