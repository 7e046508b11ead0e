import { z } from 'zod';

/** The environment variables of passkeys. */
export const passkeySettings = {
  PASSKEY_ORIGINS: z
    .string()
    .transform((text) => text.split(',').map((origin) => origin.trim()))
    .refine((origins) => origins.every(isPageOrigin), {
      error:
        'must be a list of https origins, such as https://app.example.com,https://www.example.com; http for localhost alone',
    })
    .optional()
    .describe('Origins that may use passkeys, separated by commas. Default: the origin in `APP_URL`.')
    .meta({ examples: ['https://app.example.com'] }),
  PASSKEY_RP_ID: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, { error: 'must be a host in lower case, such as example.com' })
    .optional()
    .describe(
      "Domain that passkeys belong to (relying party ID): the host in `PASSKEY_ORIGINS`, or a parent domain. Changing it makes existing passkeys useless. Default: the first origin's host.",
    )
    .meta({ examples: ['example.com'] }),
};

/** The service, as authenticators know it. */
export interface PasskeyHost {
  /** The origins' host, or a domain above them. */
  readonly id: string;
  /** The origins of the pages that may use its passkeys. */
  readonly origins: readonly string[];
}

/**
 * Returns the relying party from the settings.
 *
 * @throws TypeError if an origin does not belong to it, because passkeys would always be rejected there
 */
export function passkeyHost(
  { PASSKEY_ORIGINS, PASSKEY_RP_ID }: { PASSKEY_ORIGINS?: readonly string[]; PASSKEY_RP_ID?: string },
  appUrl: string,
): PasskeyHost {
  const origins = PASSKEY_ORIGINS ?? [new URL(appUrl).origin];
  const hosts = origins.map((origin) => new URL(origin).hostname);
  const id = PASSKEY_RP_ID ?? hosts[0] ?? '';
  const foreignHost = hosts.find((host) => host !== id && !host.endsWith(`.${id}`));
  if (foreignHost !== undefined)
    throw new TypeError(
      `${foreignHost} does not belong to PASSKEY_RP_ID (${id}): it must be the host of each of PASSKEY_ORIGINS, or a domain above them`,
    );
  return { id, origins };
}

/** Browsers have passkeys on secure pages alone. */
function isPageOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (url?.origin !== text) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && url.hostname === 'localhost');
}
