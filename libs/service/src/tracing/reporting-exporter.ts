import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Log } from '../logs/open-logs';

/** Logs once when exports fail, and once when they resume. Traces are lost meanwhile. */
export class ReportingExporter implements SpanExporter {
  private isFailing = false;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly url: string,
    private readonly log: Log,
  ) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.exporter.export(spans, (result) => {
      this.report(result);
      done(result);
    });
  }

  /** Gives up. Call it when the program ends before the collector has responded. */
  giveUp(): void {
    this.report({
      code: ExportResultCode.FAILED,
      error: new Error('the collector has not responded before the shutdown'),
    });
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }

  private report({ code, error }: ExportResult): void {
    const isFailing = code === ExportResultCode.FAILED;
    if (isFailing === this.isFailing) return;
    this.isFailing = isFailing;
    const { url } = this;
    if (isFailing) this.log.warn({ url, reason: error?.message }, 'trace export failed');
    else this.log.info({ url }, 'trace export resumed');
  }
}
