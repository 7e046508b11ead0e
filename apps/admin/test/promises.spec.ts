import { theProgramKeepsItsPromises } from '@app/service/testing';
import { program } from '../src/admin.program';

theProgramKeepsItsPromises(program);
