import { IsTransport, type Transport } from '@app/accounts';
import { IfGiven, NoLongerThan, Schema } from '@app/contract';
import { Exclude, Expose, Type } from 'class-transformer';
import { IsIn, IsString, Matches, MinLength } from 'class-validator';

/** An identity provider in a path. */
export class ByProvider {
  /**
   * The provider's name, from `GET /auth/providers`.
   *
   * @example google
   */
  @Matches(/^[a-z][a-z0-9-]{0,31}$/, { message: '$property must be the name of an identity provider' })
  provider!: string;
}

/** The options for beginning a sign-in. */
export class AuthorizeQuery {
  /** The prompt. `login` makes the provider verify a signed-in user again, for routes that require a recent sign-in. */
  @IfGiven()
  @IsIn(['login'])
  prompt?: 'login';
}

/** An identity provider for signing in. */
@Exclude()
export class IdentityProvider {
  /** @example google */
  @Expose() name!: string;
}

/** The program's identity providers. */
@Exclude()
export class IdentityProviders {
  @Expose()
  @Type(() => IdentityProvider)
  providers!: IdentityProvider[];
}

/** An authorization at the identity provider. */
@Exclude()
export class ProviderAuthorization {
  /** The URL to open for the user. */
  @Expose() url!: string;
  /** A secret that the client keeps for up to ten minutes. Only this client can complete the authorization. */
  @Expose() request!: string;
}

/** The provider's redirect parameters, with the `request` that the client kept. */
export class CompleteLink {
  /** The `request` from the response that began the authorization. */
  @IsString() @NoLongerThan(100) request!: string;
  @IsString() @NoLongerThan(4096) code!: string;
  @IsString() @NoLongerThan(100) state!: string;
  /** The issuer, if the provider sends it (RFC 9207). */
  @IfGiven() @IsString() @NoLongerThan(1000) iss?: string;
}

/** A completed authorization, and the device's name. */
export class CompleteProviderSignIn extends CompleteLink {
  /** The device name in the session list; default: a name derived from `User-Agent`. */
  @IfGiven()
  @MinLength(1)
  @NoLongerThan(100)
  @Schema({ examples: ['the tablet in the kitchen'] })
  device?: string;
  /** The refresh token's transport; default `body`. Pages use `cookie`, which scripts cannot read. */
  @IsTransport() transport?: Transport;
}
