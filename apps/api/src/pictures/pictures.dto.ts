import { Schema } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';

/** A user's picture, a PNG file. */
@Exclude()
export class Picture {
  /** The file size in bytes. */
  @Expose() @Schema({ type: 'integer', examples: [48_213] }) bytes!: number;
  /** The upload time: ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
}
