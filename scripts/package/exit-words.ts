import type { exits } from '../../lib/kernel/events/errors.ts';

/** What each exit code means, as docs and man pages say it. */
export const exitWords: Readonly<Record<keyof typeof exits, string>> = {
  ok: 'all is well',
  findings: 'something was found that is not as it should be',
  usage: 'the command line or an input is not valid',
  untrusted: 'an archive, a policy or a mend is not trusted',
  registry: 'a registry, or the server of a file, failed',
  cluster: 'a cluster failed',
  resource: 'the machine lacks something: disk, a program, an address',
  bug: 'a bug in solpack',
  interrupted: 'interrupted by the user',
};
