import { missing } from '@app/http-errors';
import { Caller, Recent, Roles } from '@app/auth';
import { Returns } from '@app/serialization';
import { ById } from '@app/validation';
import { Controller, Delete, Get, HttpCode, Ip, Param } from '@nestjs/common';
import type { SignedInUser } from '../access/access-check';
import { TotpEnrolments } from '../totp/totp-enrolments';
import { TotpState } from '../totp/totp.dto';

/** The authenticator application of a user, for administrators. */
@Controller('users/:id/totp')
@Roles('admin')
export class UserTotpController {
  constructor(private readonly enrolments: TotpEnrolments) {}

  /** Returns whether the sign-ins of a user require a code. */
  @Get()
  @Returns(TotpState)
  read(@Param() { id }: ById): Promise<TotpState> {
    return this.enrolments.stateOf(id);
  }

  /** Ends the second factor of a user who lost it; the user is notified by mail. Sessions stay. */
  @Delete()
  @Recent('15m')
  @HttpCode(204)
  async end(@Param() { id }: ById, @Caller() caller: SignedInUser, @Ip() ip: string): Promise<void> {
    if (!(await this.enrolments.endOf(id, { actorId: caller.userId, ip, caller })))
      missing('second factor of the user', id);
  }
}
