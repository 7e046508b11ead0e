import { Public } from '@app/auth';
import { Returns, Tag } from '@app/contract';
import { Controller, Get, Header } from '@nestjs/common';
import { mailPage, mailPagePolicy } from './mail-page';

const type = 'text/html; charset=utf-8';
const pages = {
  reset: mailPage('Set a new password', 'auth/password-resets/complete'),
  undo: mailPage('Undo the change of the e-mail', 'auth/email-changes/undo'),
};

/** The pages behind mailed links, for programs without a web application. */
@Controller()
@Public()
@Tag('auth')
export class MailPagesController {
  /** Returns the page that sets a new password. */
  @Get('reset-password')
  @Header('Content-Type', type)
  @Header('Content-Security-Policy', mailPagePolicy)
  @Returns('bytes')
  reset(): Buffer {
    return pages.reset;
  }

  /** Returns the page that undoes an e-mail change. */
  @Get('undo-email-change')
  @Header('Content-Type', type)
  @Header('Content-Security-Policy', mailPagePolicy)
  @Returns('bytes')
  undo(): Buffer {
    return pages.undo;
  }
}
