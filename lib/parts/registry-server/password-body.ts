// The thread that password-thread.ts starts.
import { parentPort } from 'node:worker_threads';
import { passwordMatches } from '../../../formats/htpasswd/password-file.ts';
import type { PasswordJob } from './password-thread.ts';

const port = parentPort!;
port.on('message', ({ users, user, password }: PasswordJob) => {
  port.postMessage(passwordMatches(users, user, password));
});
