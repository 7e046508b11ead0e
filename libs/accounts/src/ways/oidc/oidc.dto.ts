import { IfGiven, NoLongerThan, Schema } from '@app/contract';
import { Exclude, Expose, Type } from 'class-transformer';
import { IsIn, IsString, Matches, MinLength } from 'class-validator';

/** An identity provider in a path. */
export class ByProvider {
  /**
   * As the list of providers has it.
   *
   * @example google
   */
  @Matches(/^[a-z][a-z0-9-]{0,31}$/, { message: '$property must be the name of an identity provider' })
  provider!: string;
}

/** How a sign-in begins. */
export class AuthorizeQuery {
  /** The provider verifies the user again, even one who is signed in there: for routes that require a recent sign-in. */
  @IfGiven()
  @IsIn(['login'])
  prompt?: 'login';
}

/** An identity provider that users may sign in through. */
@Exclude()
export class IdentityProvider {
  /** @example google */
  @Expose() name!: string;
}

/** The identity providers of the program. */
@Exclude()
export class IdentityProviders {
  @Expose()
  @Type(() => IdentityProvider)
  providers!: IdentityProvider[];
}

/** An authorization that the user gives at the identity provider. */
@Exclude()
export class ProviderAuthorization {
  /** Where the client sends the user. */
  @Expose() url!: string;
  /** Kept by the client until the user is back, for ten minutes: no other client completes the authorization. */
  @Expose() request!: string;
}

/** What the provider added to the redirect URI, with what the client kept. */
export class CompleteLink {
  /** Of the response that began it. */
  @IsString() @NoLongerThan(100) request!: string;
  @IsString() @NoLongerThan(4096) code!: string;
  @IsString() @NoLongerThan(100) state!: string;
  /** If the provider sends one (RFC 9207). */
  @IfGiven() @IsString() @NoLongerThan(1000) iss?: string;
}

/** A sign-in, and the name of the device. */
export class CompleteProviderSignIn extends CompleteLink {
  /** As the list of sessions shows it; without it what `User-Agent` says. */
  @IfGiven()
  @MinLength(1)
  @NoLongerThan(100)
  @Schema({ examples: ['the tablet in the kitchen'] })
  device?: string;
}

/** An identity of the account, at an issuer that users sign in through or whose tokens are accepted. */
@Exclude()
export class ExportedIdentity {
  @Expose() issuer!: string;
  @Expose() createdAt!: Date;
}
