import { accounts, operatorControllers } from '@app/accounts';
import { backup } from '@app/backup';
import { emailCodes } from '@app/email-codes';
import { oidc } from '@app/oidc';
import { organizations } from '@app/organizations';
import { passkeys } from '@app/passkeys';
import { replica } from '@app/replica';
import { secondFactors } from '@app/second-factors';
import { defineProgram, failedEvents, jobResults, metricsRoute } from '@app/service';
import { trustedIssuers } from '@app/trusted-issuers';
import { uploads } from '@app/uploads';
import { valkey } from '@app/valkey';
import { descriptions } from './descriptions';
import { home } from './home/home.plugin';

/** The definition of `admin`, for operators, on the same database. */
export const program = defineProgram({
  name: 'admin',
  reference: {
    title: 'Sluice example operator API',
    introduction:
      'The accounts, audit log, mails, failed events, jobs and metrics of the example shop, for administrators. Only a private network should reach it.',
  },
  descriptions,
  plugins: [
    accounts({ controllers: operatorControllers }),
    emailCodes(),
    secondFactors(),
    passkeys(),
    oidc(),
    trustedIssuers(),
    organizations({ routes: 'operators' }),
    uploads(),
    backup(),
    valkey(),
    replica(),
    home,
    metricsRoute(),
    failedEvents(),
    jobResults(),
  ],
});
