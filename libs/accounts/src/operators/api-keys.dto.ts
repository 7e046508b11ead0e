import { ById, RowId } from '@app/validation';

/** The path parameters of one key of a user. */
export class ByUserAndKey extends ById {
  @RowId() key!: number;
}
