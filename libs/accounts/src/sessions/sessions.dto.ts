import { Schema } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';
import { IsString } from 'class-validator';
/** The body of a refresh. */
export class RefreshRequest {
  @IsString() refresh_token!: string;
}

/** The tokens of a session. */
@Exclude()
export class SessionTokens {
  /** Compact JWS for `Authorization: Bearer …`. */
  @Expose() access_token!: string;
  /** For one use at `POST /auth/refresh`. */
  @Expose() refresh_token!: string;
  /** The seconds until the access token expires. */
  @Expose() @Schema({ type: 'integer', examples: [60] }) expires_in!: number;
}

/** The first factor is right, and the account requires a second one. */
@Exclude()
export class MfaRequired {
  @Expose() @Schema({ const: true }) mfa_required!: true;
  /** The factors of which one is required. */
  @Expose()
  @Schema({ type: 'array', items: { type: 'string' }, examples: [['totp', 'recovery-code']] })
  factors!: string[];
  /** For `POST /auth/sessions/complete`, within five minutes; it gives access to nothing else. */
  @Expose() mfa_token!: string;
}

/** A session. */
@Exclude()
export class Session {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  /** Remote address of the sign-in. */
  @Expose() ip!: string;
  /** Chosen at the sign-in, or as `User-Agent` says, such as `Firefox on Windows`; null if it is not known. */
  @Expose() @Schema({ type: ['string', 'null'], examples: ['Firefox on Windows'] }) device!: string | null;
  /** ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
  /** ISO 8601, UTC, milliseconds: when its last refresh token was issued. */
  @Expose() lastUsedAt!: Date;
  /** ISO 8601, UTC, milliseconds: when it expires unless it is refreshed. */
  @Expose() expiresAt!: Date;
}
