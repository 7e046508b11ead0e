import { ById, RowId } from '@app/contract';

/** The path parameters of one session of a user. */
export class ByUserAndSession extends ById {
  @RowId() session!: number;
}
