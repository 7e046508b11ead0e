import { RowId } from '@app/contract';
import { ByFactor } from '../factors/factors.dto';

/** A factor of a user in a path. */
export class ByUserAndFactor extends ByFactor {
  @RowId()
  id!: number;
}
