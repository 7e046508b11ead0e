import { Caller, DirectSignIn, Recent } from '@app/auth';
import { ErrorResponses, Returns } from '@app/contract';
import { Controller, Delete, Get, HttpCode, Ip, Param } from '@nestjs/common';
import type { SignedInUser } from '../access/access-check';
import { FactorNotFoundError, LastFactorError } from './errors';
import { FactorEnrolments } from './factor-enrolments';
import { ByFactor, Factors } from './factors.dto';

/** The caller's factors. */
@Controller('auth/factors')
export class FactorsController {
  constructor(private readonly enrolments: FactorEnrolments) {}

  /** Lists the caller's factors. */
  @Get()
  @Returns(Factors)
  async list(@Caller() { userId }: SignedInUser): Promise<Factors> {
    return { factors: await this.enrolments.list(userId) };
  }

  /**
   * Removes a factor from the caller's account. Removing the last second factor also removes the recovery codes, and sign-ins
   * then need the first factor alone.
   */
  @Delete(':factor')
  @DirectSignIn()
  @Recent('15m')
  @HttpCode(204)
  @ErrorResponses(FactorNotFoundError, LastFactorError)
  async end(@Param() { factor }: ByFactor, @Caller() caller: SignedInUser, @Ip() ip: string): Promise<void> {
    if (!(await this.enrolments.end(caller, factor, ip))) throw new FactorNotFoundError();
  }
}
