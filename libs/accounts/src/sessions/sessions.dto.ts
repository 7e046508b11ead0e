import { Schema } from '@app/shapes';
import { IfGiven, NoLongerThan } from '@app/validation';
import { Exclude, Expose } from 'class-transformer';
import { IsString, MinLength } from 'class-validator';
import { LoginRequest } from '../sign-in/sign-in.dto';

/** Credentials, and the name of the device. */
export class SessionRequest extends LoginRequest {
  /** As the list of sessions shows it; without it what `User-Agent` says. */
  @IfGiven()
  @MinLength(1)
  @NoLongerThan(100)
  @Schema({ examples: ['the tablet in the kitchen'] })
  device?: string;
}

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
