import { schemaBehaves } from '@app/persistence/testing';
import { mailSchema } from './schema';

schemaBehaves(mailSchema);
