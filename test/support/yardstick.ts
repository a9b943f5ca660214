/** Seconds of processors that the yardstick takes on a quiet machine. */
const QUIET = 0.1;
/** What took less is not compared with the yardstick: no bound is that low. */
const SHORT = 0.5;

/** Returns how many seconds of processors this process has taken so far, in all of its threads. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * Returns `seconds` of processors as a quiet machine would have taken them. A busy one takes more for everything, so a
 * piece of work that is always the same is measured beside.
 */
export function asIfQuiet(seconds: number): number {
  return seconds < SHORT ? seconds : seconds / Math.max(1, yardstick() / QUIET);
}

/** Returns the seconds of processors that `work` takes in this process, as on a quiet machine. */
export async function secondsOf(work: () => unknown): Promise<number> {
  const begun = processorSeconds();
  await work();
  return asIfQuiet(processorSeconds() - begun);
}

function yardstick(): number {
  const text = JSON.stringify(Array.from({ length: 60_000 }, (_, number) => ({ number, name: `name ${number}` })));
  const begun = processorSeconds();
  for (let times = 0; times < 4; times += 1) JSON.parse(text);
  return processorSeconds() - begun;
}
