import { Caller, DirectSignIn, Recent, Roles } from '@app/auth';
import { ById, ErrorResponses, Returns, RowId } from '@app/contract';
import { Controller, Delete, Get, HttpCode, Ip, Param } from '@nestjs/common';
import { actorOf } from '../access/actor';
import type { SignedInUser } from '../access/access-check';
import { FactorNotFoundError, LastFactorError } from '../factors/errors';
import { FactorEnrolments } from '../factors/factor-enrolments';
import { ByFactor, Factors } from '../factors/factors.dto';

/** A user's factor in a path. */
class ByUserAndFactor extends ByFactor {
  @RowId() id!: number;
}

/** A user's factors, for administrators. */
@Controller('users/:id/factors')
@Roles('admin')
export class UserFactorsController {
  constructor(private readonly enrolments: FactorEnrolments) {}

  /** Lists a user's factors. */
  @Get()
  @Returns(Factors)
  async list(@Param() { id }: ById): Promise<Factors> {
    return { factors: await this.enrolments.list(id) };
  }

  /**
   * Removes a user's lost factor and notifies the user by mail. Sessions stay. Removing the last second factor also removes
   * the recovery codes.
   */
  @Delete(':factor')
  @DirectSignIn()
  @Recent('15m')
  @HttpCode(204)
  @ErrorResponses(FactorNotFoundError, LastFactorError)
  async end(
    @Param() { id, factor }: ByUserAndFactor,
    @Caller() caller: SignedInUser,
    @Ip() ip: string,
  ): Promise<void> {
    if (!(await this.enrolments.endFor(id, factor, actorOf(caller, ip)))) throw new FactorNotFoundError();
  }
}
