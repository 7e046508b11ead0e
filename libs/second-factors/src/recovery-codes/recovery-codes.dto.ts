import { Schema } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';

/** Recovery codes, each valid for a single sign-in. Store them now, because they are shown once. */
@Exclude()
export class NewRecoveryCodes {
  /** @example ["x7k2mq-04tzcd-9hbvwe-1rsy5n"] */
  @Expose()
  @Schema({ type: 'array', items: { type: 'string' } })
  recoveryCodes!: string[];
}
