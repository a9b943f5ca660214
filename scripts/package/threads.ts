import { dirname, join } from 'node:path';
import type { Plugin } from 'rolldown';
import { root } from '../home.ts';

/** The files of threads: the module that starts each, its name beside that module, and its name in what is built. */
const threads = [
  { starter: 'lib/kernel/workers/crew.ts', body: 'body.ts', name: 'worker' },
  { starter: 'lib/kernel/workers/wasm-program.ts', body: 'wasm-body.ts', name: 'encoder' },
  { starter: 'lib/parts/registry-server/password-thread.ts', body: 'password-body.ts', name: 'passwords' },
] as const;

/** The modules that threads begin with, by their names in what is built. */
export const threadInputs: Readonly<Record<string, string>> = Object.fromEntries(
  threads.map(({ starter, body, name }) => [name, join(dirname(starter), body)]),
);

/**
 * Has threads started otherwise than in the sources: `change` gets what names the file there, and returns what stands
 * for it. Throws where the sources start them in another way.
 */
export function startThreads(change: (file: string, name: string) => readonly [from: string, to: string]): Plugin {
  return {
    name: 'threads',
    transform: {
      filter: { id: /\/lib\/.*\.ts$/ },
      handler: (code, id) => {
        const thread = threads.find(({ starter }) => id === join(root, starter));
        if (!thread) return undefined;
        return replaced(code, thread.starter, ...change(`new URL('./${thread.body}', import.meta.url)`, thread.name));
      },
    },
  };
}

/** Returns the code of `file` with one passage replaced. Throws where that is not there exactly once. */
export function replaced(code: string, file: string, from: string, to: string): string {
  const parts = code.split(from);
  if (parts.length === 2) return parts.join(to);
  throw new Error(`${file} no longer has "${from}" once, as the scripts that build expect`);
}
