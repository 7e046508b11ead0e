import { RowId } from './row-id';

/** The path parameters of one resource, such as `/users/:id`: `@Param() { id }: ById`. */
export class ById {
  @RowId()
  id!: number;
}
