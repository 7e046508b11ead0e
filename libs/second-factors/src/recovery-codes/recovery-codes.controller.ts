import { FactorEnrolments, type SignedInUser } from '@app/accounts';
import { Caller, DirectSignIn, Recent } from '@app/auth';
import { ErrorResponses, Returns } from '@app/contract';
import { Controller, Header, Ip, Post } from '@nestjs/common';
import { NoSecondFactorError } from './errors';
import { RecoveryCodes } from './recovery-codes.factor';
import { NewRecoveryCodes } from './recovery-codes.dto';

/** The caller's recovery codes, which replace a second factor. */
@Controller('auth/factors/recovery-codes')
export class RecoveryCodesController {
  constructor(
    private readonly codes: RecoveryCodes,
    private readonly enrolments: FactorEnrolments,
  ) {}

  /** Replaces the recovery codes. Only this response shows the ten new codes. */
  @Post()
  @DirectSignIn()
  @Recent('15m')
  @Header('Cache-Control', 'no-store')
  @Returns(NewRecoveryCodes)
  @ErrorResponses(NoSecondFactorError)
  async replace(@Caller() caller: SignedInUser, @Ip() ip: string): Promise<NewRecoveryCodes> {
    const recoveryCodes = await this.enrolments.change(caller, async (account, db) => {
      if (!(await this.enrolments.hasSecond(account.id, db))) throw new NoSecondFactorError();
      await this.enrolments.record(account, this.codes, 'replaced', { client: { ip } }, db);
      return this.codes.issue(account.id, db);
    });
    return { recoveryCodes };
  }
}
