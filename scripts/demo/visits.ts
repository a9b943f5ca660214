import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ended, launch, type Place } from './cli.ts';
import type { Visits } from './visitor.ts';

/** Starts a program that requests the page at `host` all the time. `leave` ends it, and describes the outcome. */
export function visit(place: Place, host: string, port: string): { leave(): Promise<string> } {
  const program = join(import.meta.dirname, 'visitor.ts');
  const visitor = launch(place, [process.execPath, program, host, port], 'pipe');
  const finished = Promise.all([ended(visitor), text(visitor.stdout!)]);
  // Where `leave` is never called, another error has already been reported.
  finished.catch(() => undefined);
  return {
    leave: async () => {
      visitor.stdin?.end();
      const [code, printed] = await finished;
      if (code !== 0) throw new Error(`the visitor ended with ${code}`);
      return visitsWords(JSON.parse(printed));
    },
  };
}

/** Describes visits: `of 8 requests 7 were answered (7 by one), 1 was not (1 ECONNREFUSED)`. */
function visitsWords({ answered, failed }: Visits): string {
  const [came, lost] = [total(answered), total(failed)];
  const summary = `of ${came + lost} requests ${lost === 0 ? 'all' : came} were answered (${listed(answered, 'by ')})`;
  return lost === 0 ? summary : `${summary}, ${lost} ${lost === 1 ? 'was' : 'were'} not (${listed(failed)})`;
}

function total(numbers: Record<string, number>): number {
  return Object.values(numbers).reduce((sum, number) => sum + number, 0);
}

function listed(numbers: Record<string, number>, before = ''): string {
  return Object.entries(numbers)
    .map(([name, number]) => `${number} ${before}${name}`)
    .join(', ');
}
