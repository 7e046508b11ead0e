import { IsTransport, type Transport } from '@app/accounts';
import { IfGiven, IsJsonObject, NoControlCharacters, NoLongerThan, Schema } from '@app/contract';
import { Exclude, Expose, Type } from 'class-transformer';
import { IsString, MinLength } from 'class-validator';

const anyObject = { type: 'object', additionalProperties: true } as const;

/** The rules for an authenticator's response. */
export const credentialRules = [IsJsonObject({ maxDepth: 4, maxLength: 16_384 }), Schema(anyObject)];

function IsCredential(): PropertyDecorator {
  return (target, name) => {
    for (const decorate of credentialRules) decorate(target, name);
  };
}

/** The options for the browser's WebAuthn call. */
@Exclude()
export class PasskeyOptions {
  /** The argument for `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`. */
  @Expose() @Type(() => Object) @Schema(anyObject) options!: object;
}

/** A new passkey. */
export class ConfirmPasskey {
  /** The `navigator.credentials.create` result, as `toJSON` returns it. */
  @IsCredential() credential!: object;
  /** The passkey's name in the factor list. */
  @IfGiven()
  @MinLength(1)
  @NoLongerThan(100)
  @NoControlCharacters()
  @Schema({ examples: ['the key on my ring'] })
  name?: string;
}

/** An enrolled passkey. */
@Exclude()
export class PasskeyEnrolled {
  /** @example passkey-7 */
  @Expose() id!: string;
  /**
   * Codes that each replace a second factor once, shown in this response only. Empty if the account already has recovery
   * codes.
   *
   * @example ["x7k2mq-04tzcd-9hbvwe-1rsy5n"]
   */
  @Expose()
  @Schema({ type: 'array', items: { type: 'string' } })
  recoveryCodes!: string[];
}

/** The start of a passkey sign-in. */
export class BeginPasskeySignIn {
  /** The `mfa_token` from the first sign-in step; omit it to let the passkey identify the account. */
  @IfGiven() @IsString() mfa_token?: string;
}

/** A passkey sign-in. */
export class PasskeySessionRequest {
  /** The `navigator.credentials.get` result, as `toJSON` returns it. */
  @IsCredential() credential!: object;
  /** The device name in the session list; default: a name derived from `User-Agent`. */
  @IfGiven()
  @MinLength(1)
  @NoLongerThan(100)
  @Schema({ examples: ['the tablet in the kitchen'] })
  device?: string;
  /** The refresh token's transport; default `body`. Pages use `cookie`, which scripts cannot read. */
  @IsTransport() transport?: Transport;
}

/** A passkey of an account. */
@Exclude()
export class ExportedPasskey {
  /** The name, or null. */
  @Expose() @Schema({ type: ['string', 'null'] }) name!: string | null;
  @Expose() createdAt!: Date;
  /** The time of the last sign-in; null before the first sign-in. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) lastUsedAt!: Date | null;
}
