import { RowId } from '@app/contract';
import { ByFactor } from '../enrolments/factors.dto';

/** A factor of a user in a path. */
export class ByUserAndFactor extends ByFactor {
  @RowId()
  id!: number;
}
