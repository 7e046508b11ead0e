import { runProgram } from '@app/service';
import { program } from './admin.program';

void runProgram(program);
