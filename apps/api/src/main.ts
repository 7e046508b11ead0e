import { runProgram } from '@app/service';
import { program } from './api.program';

void runProgram(program);
