import type { Log } from '../logs/open-logs';
import type { SettingsOf } from '@app/settings';
import type { RequestSpans } from './request-spans';
import type { tracingSettings } from './tracing-settings';

/** The settings of OpenTelemetry. */
export type TracingSettings = SettingsOf<typeof tracingSettings>;

/** What is traced, and where to. */
export interface TracingOptions {
  readonly settings: TracingSettings;
  readonly application: string;
  readonly version: string;
  readonly log: Log;
}

/** The traces of a program. */
export interface Tracing {
  readonly requests: RequestSpans;
  /** Sends what has not been sent. Resolves after two seconds at most; never rejects. */
  stop(): Promise<void>;
}
