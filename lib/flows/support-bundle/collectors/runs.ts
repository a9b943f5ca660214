import { basename } from 'node:path';
import { lend } from '../../../kernel/events/index.ts';
import { openFile } from '../../../kernel/files/index.ts';
import type { Blanking } from '../blanking/index.ts';
import type { Collector } from '../collector.ts';

/** Most bytes of the end of a log. */
const LIMIT = 4 * 1024 * 1024;

/** Shows the ends of the logs that earlier runs wrote. */
export const runLogs: Collector = {
  name: 'the logs of earlier runs',
  collect: async ({ request: { logs }, blanking, bundle }) => {
    if (logs.length === 0) bundle.missing('logs of earlier runs', 'none was named (--logs)');
    for (const [at, path] of logs.entries()) {
      try {
        const lines = (await endOf(path)).split('\n');
        await bundle.text(
          `runs/${at + 1}-${basename(path)}`,
          lines.map((line) => blankLine(line, blanking)).join('\n'),
        );
      } catch (error) {
        bundle.missing(path, error instanceof Error ? error.message : String(error));
      }
    }
  },
};

async function endOf(path: string): Promise<string> {
  return lend(await openFile(path), async (file) => {
    const length = Math.min(file.size, LIMIT);
    const end = Buffer.from(await file.read(file.size - length, length)).toString();
    return length === file.size ? end : end.slice(end.indexOf('\n') + 1);
  });
}

/** What is JSON is blanked by its fields; the rest is text, which is blanked where it is written. */
function blankLine(line: string, blanking: Blanking): string {
  try {
    return JSON.stringify(blanking.data(JSON.parse(line)));
  } catch {
    return line;
  }
}
