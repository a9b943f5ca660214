import type { Io } from './io.ts';

/** A command was ended at a question that comes before its first change. */
export class Unanswered extends Error {}

/**
 * Asks a person before anything is changed, and shows what they type. Throws `Unanswered` where they end the command
 * instead.
 */
export async function askFirst(io: Io, question: string): Promise<string> {
  try {
    return await io.ask!(question, true);
  } catch (error) {
    if (io.signal.aborted) throw new Unanswered();
    throw error;
  }
}
