import type { EnvironmentOf } from '@app/settings';
import { CannotListenError } from '../process/errors';
import type { listenSettings } from '../process/listen-settings';
import { urlsOf } from '../process/urls';
import type { metricsSettings } from './metrics-settings';

/**
 * Opens the port of the metrics, if the settings name one.
 *
 * @param listen serves them, and returns the actual port
 * @returns the URL; `undefined` if there is none
 * @throws CannotListenError
 */
export async function listenForMetrics(
  listen: (port: number, host: string) => Promise<number>,
  { METRICS_PORT: port, HOST }: EnvironmentOf<typeof metricsSettings & Pick<typeof listenSettings, 'HOST'>>,
): Promise<string | undefined> {
  if (port === false) return undefined;
  try {
    return `${urlsOf(HOST, await listen(port, HOST))[0]}/metrics`;
  } catch (cause) {
    throw new CannotListenError({ PORT: port, HOST, setting: 'METRICS_PORT' }, cause);
  }
}
