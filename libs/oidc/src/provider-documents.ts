import { FetchFailedError, isUrlOf } from '@app/auth';
import { z } from 'zod';

/** The end of the year 9999. Larger times are not in seconds. */
const MAX_SECONDS = 253_402_300_799;

const wellFormed = z.string().refine((text) => text.isWellFormed(), 'must be well-formed');

/** The e-mail claims. An impossible e-mail is ignored. */
const emailClaims = {
  email: wellFormed.max(320).optional().catch(undefined),
  email_verified: z.unknown().optional(),
};

const userInfoSchema = z.object(emailClaims);

const claimsSchema = z.object({
  ...emailClaims,
  /** @see OpenID Connect Core §2 */
  sub: wellFormed.min(1).max(255),
  auth_time: z.number().min(0).max(MAX_SECONDS).transform(untilNow).optional(),
});

/** The claims of an ID token that are read. `auth_time` is not after now. */
export type ProviderClaims = z.output<typeof claimsSchema>;

/** @throws TypeError if a value is malformed */
export function readClaims(claims: unknown): ProviderClaims {
  return read(claimsSchema, claims, 'the ID token');
}

/** @throws TypeError if a value is malformed */
export function readUserInfo(claims: unknown): z.output<typeof userInfoSchema> {
  return read(userInfoSchema, claims, 'the user information');
}

/** @throws FetchFailedError if the issuer differs, or if a URL for users or requests is not HTTPS */
export function checkMetadata(issuer: string, metadata: unknown): void {
  const url = z.string().refine((text) => isUrlOf(issuer, text), 'is not by HTTPS');
  const schema = z.object({
    issuer: z.literal(issuer),
    authorization_endpoint: url,
    token_endpoint: url,
    jwks_uri: url,
    userinfo_endpoint: url.optional(),
    token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  });
  try {
    read(schema, metadata, `the metadata of ${issuer}`);
  } catch (error) {
    throw new FetchFailedError(String(error), { cause: error });
  }
}

function untilNow(seconds: number): number {
  return Math.floor(Math.min(seconds, Date.now() / 1000));
}

/** Reads a value by a schema. The error leaves out the values, which may be personal data. */
function read<Schema extends z.ZodType>(schema: Schema, value: unknown, title: string): z.output<Schema> {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data;
  const problems = error.issues.map(({ path, message }) => `"${path.join('.')}" ${message}`);
  throw new TypeError(`${title}: ${problems.join(', ')}`);
}
