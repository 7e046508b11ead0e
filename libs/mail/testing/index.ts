export {
  mailUser,
  type ReceivedMail,
  startMailServer,
  type TestMailServer,
  trustTestCertificate,
} from './mail-server';
