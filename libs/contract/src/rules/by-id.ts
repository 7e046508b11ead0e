import { RowId } from './row-id';

/** The path parameters of a resource, such as `/users/:id`: `@Param() { id }: ById`. */
export class ById {
  @RowId()
  id!: number;
}
