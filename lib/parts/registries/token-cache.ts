import type { Token } from './fetch-token.ts';

/** Keeps tokens by what they are for, for as long as they live. */
export interface Tokens {
  get(key: string, fetch: () => Promise<Token>): Promise<string>;
  /** Forgets a token that was refused; a newer one is kept. */
  forget(key: string, value: string): Promise<void>;
}

/** Makes an empty cache of tokens. */
export function tokenCache(): Tokens {
  const tokens = new Map<string, Promise<Token>>();
  return {
    get: async (key, fetch) => {
      const before = tokens.get(key);
      const kept = await before;
      if (kept && kept.until > performance.now()) return kept.value;
      // Of those that found it too old together, one asks for a new one.
      const newer = tokens.get(key);
      if (newer && newer !== before) return (await newer).value;
      // Kept as a promise, so that requests that come together share one token; a failure is not kept.
      const pending = fetch();
      tokens.set(key, pending);
      pending.catch(() => tokens.delete(key));
      return (await pending).value;
    },
    forget: async (key, value) => {
      const held = tokens.get(key);
      const token = await held?.catch(() => undefined);
      if (token?.value === value && tokens.get(key) === held) tokens.delete(key);
    },
  };
}
