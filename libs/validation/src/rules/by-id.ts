import { WholeNumber } from './whole-number';

/** The path of one thing, such as `/users/:id`: `@Param() { id }: ById`. */
export class ById {
  @WholeNumber()
  id!: number;
}
