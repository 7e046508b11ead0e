import type { Log } from '../logs/open-logs';
import type { SettingsOf } from '@app/settings';
import type { RequestSpans } from './request-spans';
import type { tracingSettings } from './tracing-settings';

/** The settings of OpenTelemetry. */
export type TracingSettings = SettingsOf<typeof tracingSettings>;

/** The traced parts, and the place that receives the traces. */
export interface TracingOptions {
  readonly settings: TracingSettings;
  readonly application: string;
  readonly version: string;
  readonly log: Log;
}

/** The traces of a program. */
export interface Tracing {
  readonly requests: RequestSpans;
  /** Sends the remaining spans. It resolves after at most two seconds and never rejects. */
  stop(): Promise<void>;
}
