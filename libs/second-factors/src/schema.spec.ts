import { accountsSchemas } from '@app/accounts/testing';
import { schemaBehaves } from '@app/persistence/testing';
import { secondFactorsSchema } from '../testing/second-factors-schema';

schemaBehaves(secondFactorsSchema, accountsSchemas);
