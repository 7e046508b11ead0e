import { ById, WholeNumber } from '@app/validation';

/** The path of one session of a user. */
export class ByUserAndSession extends ById {
  @WholeNumber() session!: number;
}
