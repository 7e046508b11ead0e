import { accounts, operatorControllers } from '@app/accounts';
import { backup } from '@app/backup';
import { replica } from '@app/replica';
import { defineProgram, metricsRoute } from '@app/service';
import { valkey } from '@app/valkey';
import { descriptions } from './descriptions';
import { home } from './home/home.plugin';

/** The definition of `admin`, for operators, on the same database. */
export const program = defineProgram({
  name: 'admin',
  descriptions,
  plugins: [
    accounts({ controllers: operatorControllers }),
    backup(),
    valkey(),
    replica(),
    home,
    metricsRoute(),
  ],
});
