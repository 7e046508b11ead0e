import { Schema } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';

/** The authenticated caller. */
@Exclude()
export class Profile {
  /** The `sub` claim of the token. */
  @Expose() @Schema({ type: 'integer' }) userId!: number;
  @Expose() username!: string;
}
