export { AboutService, type ProgramIdentity } from './nest/about.service';
export { ServiceModule } from './nest/service.module';
