import { Public } from '@app/auth';
import { AboutService } from '@app/service';
import { Controller, Get } from '@nestjs/common';

/** The program's name and version. */
@Controller()
export class HomeController {
  constructor(private readonly about: AboutService) {}

  /** Returns the program's name and version as text. */
  @Get()
  @Public()
  read(): string {
    return this.about.about();
  }
}
