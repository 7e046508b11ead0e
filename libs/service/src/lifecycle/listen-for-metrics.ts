import type { SettingsOf } from '../settings/declaration';
import type { serviceSettings } from '../settings/service-settings';
import { CannotListenError } from './errors';
import { urlsOf } from './urls';

/**
 * Opens the port of the metrics, if the settings name one.
 *
 * @param listen answers with them, and returns the actual port
 * @returns the URL; `undefined` if there is none
 * @throws CannotListenError
 */
export async function listenForMetrics(
  listen: (port: number, host: string) => Promise<number>,
  { METRICS_PORT: port, HOST }: Pick<SettingsOf<typeof serviceSettings>, 'METRICS_PORT' | 'HOST'>,
): Promise<string | undefined> {
  if (port === false) return undefined;
  try {
    return `${urlsOf(HOST, await listen(port, HOST))[0]}/metrics`;
  } catch (cause) {
    throw new CannotListenError({ PORT: port, HOST, setting: 'METRICS_PORT' }, cause);
  }
}
