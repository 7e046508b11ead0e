import { IfGiven, IsJsonObject, NoControlCharacters, NoLongerThan, Schema } from '@app/contract';
import { Exclude, Expose, Type } from 'class-transformer';
import { IsString, MinLength } from 'class-validator';

const anyObject = { type: 'object', additionalProperties: true } as const;

/** The rules of what an authenticator made. */
export const credentialRules = [IsJsonObject({ maxDepth: 4, maxLength: 16_384 }), Schema(anyObject)];

function IsCredential(): PropertyDecorator {
  return (target, name) => {
    for (const decorate of credentialRules) decorate(target, name);
  };
}

/** What a browser needs to ask its authenticators. */
@Exclude()
export class PasskeyOptions {
  /** For `PublicKeyCredential.parseCreationOptionsFromJSON`, or `parseRequestOptionsFromJSON`. */
  @Expose() @Type(() => Object) @Schema(anyObject) options!: object;
}

/** A new passkey. */
export class ConfirmPasskey {
  /** What `navigator.credentials.create` resulted in, by its `toJSON`. */
  @IsCredential() credential!: object;
  /** As the list of factors shows it. */
  @IfGiven()
  @MinLength(1)
  @NoLongerThan(100)
  @NoControlCharacters()
  @Schema({ examples: ['the key on my ring'] })
  name?: string;
}

/** A passkey that was enrolled. */
@Exclude()
export class PasskeyEnrolled {
  /** @example passkey-7 */
  @Expose() id!: string;
  /**
   * Accepted in place of a second factor, each once; they are not shown again. Empty if the account had some.
   *
   * @example ["x7k2mq-04tzcd-9hbvwe-1rsy5n"]
   */
  @Expose()
  @Schema({ type: 'array', items: { type: 'string' } })
  recoveryCodes!: string[];
}

/** Begins a sign-in by a passkey. */
export class BeginPasskeySignIn {
  /** Of a sign-in that waits for a second factor; without it, the passkey names the account. */
  @IfGiven() @IsString() mfa_token?: string;
}

/** A sign-in by a passkey. */
export class PasskeySessionRequest {
  /** What `navigator.credentials.get` resulted in, by its `toJSON`. */
  @IsCredential() credential!: object;
  /** As the list of sessions shows it; without it what `User-Agent` says. */
  @IfGiven()
  @MinLength(1)
  @NoLongerThan(100)
  @Schema({ examples: ['the tablet in the kitchen'] })
  device?: string;
}

/** A passkey of an account. */
@Exclude()
export class ExportedPasskey {
  /** Null if it has none. */
  @Expose() @Schema({ type: ['string', 'null'] }) name!: string | null;
  @Expose() createdAt!: Date;
  /** Null before the first sign-in. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) lastUsedAt!: Date | null;
}
