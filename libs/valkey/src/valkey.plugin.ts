import { definePlugin, RateCounts, rateLimitChannels } from '@app/service';
import { setting } from '@app/settings';
import { Logger } from '@nestjs/common';

/** The settings of the Valkey plugin. */
export const valkeySettings = {
  RATE_LIMIT_STORE: setting(
    readStore,
    'must be store, or valkey://user:password@host:port/database (valkeys:, redis: or rediss:)',
  )
    .prefault('store')
    .describe(
      'Where programs add up rate-limit counts: `store` for the database, or the URL of a Valkey or Redis server (`valkeys:` and `rediss:` use TLS). While it is unavailable, each program limits alone.',
    )
    .meta({ examples: ['valkeys://sluice:…@valkey:6379/0', 'redis://127.0.0.1'], secret: true }),
};

/** The plugin that adds up rate-limit counts on a Valkey or Redis server. */
export function valkey() {
  return definePlugin({
    name: 'valkey',
    settings: valkeySettings,
    providers: ({ RATE_LIMIT_STORE: url }) =>
      url === 'store' ? [] : [{ provide: RateCounts, useFactory: () => openCounts(url) }],
  });
}

/** Opens the counts. The client is only loaded here. */
async function openCounts(url: string): Promise<RateCounts> {
  const { ValkeyCounts } = await import('./valkey-counts.js');
  return new ValkeyCounts(url, logServer);
}

/** Logs whether the server is available. @param error `undefined` when the server is available again */
function logServer(error: Error | undefined): void {
  const logger = new Logger('RateLimiting');
  rateLimitChannels.serverUp.publish(error === undefined);
  if (error === undefined) return logger.log('rate limit store available');
  const { code = error.message }: NodeJS.ErrnoException = error;
  logger.error(
    `rate limit store unavailable, each program limits alone: ${code}. Check the server, and the URL of RATE_LIMIT_STORE`,
  );
}

/** Returns the text of `RATE_LIMIT_STORE`, or `undefined` if it is neither `store` nor a Valkey or Redis URL. */
function readStore(text: string): string | undefined {
  if (text === 'store') return text;
  if (!/^(?:valkey|redis)s?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  const { hostname, pathname, search, hash, username, password } = new URL(text);
  if (hostname === '' || hostname.includes(',') || search + hash !== '') return undefined;
  return /^(?:\/\d{0,4})?$/.test(pathname) && isEncoded(username + password) ? text : undefined;
}

function isEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}
