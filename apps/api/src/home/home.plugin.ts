import { definePlugin } from '@app/service';
import { HomeController } from './home.controller';

/** The name of the program, at `GET /`. */
export const home = definePlugin({ name: 'home', controllers: [HomeController] });
