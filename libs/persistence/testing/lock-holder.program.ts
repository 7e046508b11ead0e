/** Runs Node with the given arguments and keeps its standard input open until this process is killed. */
import { spawn } from 'node:child_process';

spawn(process.execPath, process.argv.slice(2), { detached: true, stdio: ['pipe', 'inherit', 'inherit'] });
