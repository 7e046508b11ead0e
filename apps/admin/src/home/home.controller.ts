import { Public } from '@app/auth';
import { AboutService } from '@app/service';
import { Controller, Get } from '@nestjs/common';

/** `GET /`: the name of the program. */
@Controller()
export class HomeController {
  constructor(private readonly about: AboutService) {}

  /** Returns name and version of the program, as text. */
  @Get()
  @Public()
  read(): string {
    return this.about.about();
  }
}
