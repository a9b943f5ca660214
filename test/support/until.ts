import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks until the answer is what is waited for, and returns it; throws the last one after `patience` milliseconds. It stands for
 * `expect.poll` in tests that run at the same time: that is tied to one test at a time.
 */
export async function until(
  ask: () => Promise<string>,
  isWanted: (answer: string) => boolean,
  patience: number,
): Promise<string> {
  const end = Date.now() + patience;
  for (;;) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    if (Date.now() >= end) throw new Error(`after ${patience} ms it is still: ${answer}`);
    await sleep(100);
  }
}
