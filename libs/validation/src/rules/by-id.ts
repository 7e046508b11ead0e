import { RowId } from './row-id';

/** The path of one thing, such as `/users/:id`: `@Param() { id }: ById`. */
export class ById {
  @RowId()
  id!: number;
}
