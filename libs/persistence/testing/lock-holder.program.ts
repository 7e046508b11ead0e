/** Runs Node with the arguments given, holding its standard input open; our output is its own. Stays until it is killed. */
import { spawn } from 'node:child_process';

spawn(process.execPath, process.argv.slice(2), { detached: true, stdio: ['pipe', 'inherit', 'inherit'] });
