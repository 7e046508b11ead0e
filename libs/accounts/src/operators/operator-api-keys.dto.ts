import { ById, RowId } from '@app/contract';

/** The path parameters of one key of a user. */
export class ByUserAndKey extends ById {
  @RowId() key!: number;
}
