import { strippedFields, type StrippedFieldSettings } from '@app/serialization';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Log } from '../logs/open-logs';

/**
 * How a program tells which fields its routes hold back; names only. In development each answer is looked at and each
 * name told once, for whoever wrote the route. In production the first few answers of a route are, then one in 1,024, and
 * the names are told at `debug`.
 */
export function strippedFieldsSettings(isProduction: boolean, log: Log): StrippedFieldSettings {
  const level = isProduction ? 'debug' : 'info';
  return {
    every: isProduction ? 1024 : 1,
    onNames: (route, names) => log[level]({ route, strippedFields: names }, 'fields were held back'),
  };
}

/** Tells at the end what a program's routes have held back, by route and name, with how often it was looked. */
export function tellHeldBack(app: NestFastifyApplication, log: Log): void {
  const routes = strippedFields(app);
  if (routes.length > 0) log.info({ strippedFields: routes }, 'fields were held back while the program ran');
}
