import { Schema } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';

/** The picture of a user: a PNG file. */
@Exclude()
export class Picture {
  /** Its size. */
  @Expose() @Schema({ type: 'integer', examples: [48_213] }) bytes!: number;
  /** When it was uploaded: ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
}
