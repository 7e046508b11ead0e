import { RowId } from './row-id';

/** A resource's path parameters, such as `/users/:id`: `@Param() { id }: ById`. */
export class ById {
  @RowId()
  id!: number;
}
