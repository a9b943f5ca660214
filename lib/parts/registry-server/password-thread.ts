import { Worker } from 'node:worker_threads';
import type { PasswordFile } from '../../../formats/htpasswd/password-file.ts';

/** A thread that hashes passwords one after another, so that the main thread does not wait. */
export interface PasswordThread extends AsyncDisposable {
  /** Resolves to whether `user` exists and has this password. Rejects where the thread ends before it knows. */
  matches(users: PasswordFile, user: string, password: string): Promise<boolean>;
}

/** A message to the thread, which answers each with a boolean, in their order. */
export interface PasswordJob {
  /** The asked user alone; empty where there is no such user. */
  readonly users: PasswordFile;
  readonly user: string;
  readonly password: string;
}

/** Starts the thread, which does not keep the process alive. */
export function startPasswordThread(): PasswordThread {
  const worker = new Worker(new URL('./password-body.ts', import.meta.url), { execArgv: [] });
  worker.unref();
  const asked: PromiseWithResolvers<boolean>[] = [];
  let failure: unknown;
  const fail = (error: unknown): void => {
    failure ??= error;
    for (const { reject } of asked.splice(0)) reject(failure);
  };
  worker.on('message', (same: boolean) => asked.shift()?.resolve(same));
  worker.on('error', fail).on('exit', () => fail(new Error('the thread that hashes passwords has ended')));
  return {
    matches: (users, user, password) => {
      if (failure !== undefined) return Promise.reject(failure);
      const answer = Promise.withResolvers<boolean>();
      asked.push(answer);
      const crypt = users.get(user);
      const one: PasswordFile = new Map(crypt ? [[user, crypt]] : []);
      worker.postMessage({ users: one, user, password } satisfies PasswordJob);
      return answer.promise;
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}
