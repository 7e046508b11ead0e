export { EmailCodes } from './email-codes.factor';
export { emailCodes } from './email-codes.plugin';
