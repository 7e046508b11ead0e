import { ServiceModule } from '@app/service';
import { Module } from '@nestjs/common';
import { HomeController } from './home/home.controller';

@Module({
  imports: [ServiceModule.forRoot({ name: 'sluice', version: '0.1.0', application: 'admin' })],
  controllers: [HomeController],
})
export class AppModule {}
