import { definePlugin } from '@app/service';
import { HomeController } from './home.controller';

/** The program's name, at `GET /`. */
export const home = definePlugin({ name: 'home', controllers: [HomeController] });
