import { strippedFields, type StrippedFieldSettings } from '@app/serialization';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Log } from '../logs/open-logs';

/**
 * How a program logs which fields its routes strip from responses; names only. In development every response is checked and
 * each name logged once. In production the first few responses of a route are checked, then one in 1,024, and names are
 * logged at `debug`.
 */
export function strippedFieldsSettings(isProduction: boolean, log: Log): StrippedFieldSettings {
  const level = isProduction ? 'debug' : 'info';
  return {
    every: isProduction ? 1024 : 1,
    onNames: (route, names) => log[level]({ route, strippedFields: names }, 'fields stripped'),
  };
}

/** Logs at shutdown which fields were stripped, by route and name, with the number of responses checked. */
export function logStrippedFields(app: NestFastifyApplication, log: Log): void {
  const routes = strippedFields(app);
  if (routes.length > 0) log.info({ strippedFields: routes }, 'fields stripped since start');
}
