import { Public } from '@app/auth';
import { Returns } from '@app/contract';
import { runProgram, serviceSettings } from '@app/service';
import { Controller, Get, Module } from '@nestjs/common';

/** A controller with a route that waits for the test, and a route that causes an uncaught exception. */
@Controller()
@Public()
class WaitingController {
  @Get()
  home(): string {
    return 'at home';
  }

  @Get('wait')
  @Returns('text')
  async wait(): Promise<string> {
    await new Promise<void>((resolve) => {
      process.once('message', () => resolve());
      process.send?.('waiting');
    });
    return 'late but whole';
  }

  @Get('break')
  break(): string {
    setImmediate(() => {
      throw new Error('not caught: postgres://me:hunter2@host/db');
    });
    return 'last response';
  }
}

@Module({ controllers: [WaitingController] })
class WaitingModule {}

void runProgram({ name: 'waiting', declarations: serviceSettings, module: () => WaitingModule });
