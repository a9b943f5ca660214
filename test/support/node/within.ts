import { join } from 'node:path';
import type { TestNode } from '../node.ts';

const script = join(import.meta.dirname, 'call.ts');

/**
 * Calls `name`, a function that the module `path` exports, with `argument` in a process inside a node, and returns what
 * it returned. Both pass as JSON.
 */
export async function within<T>(node: TestNode, path: string, name: string, argument: unknown): Promise<T> {
  const printed = await node.ok(process.execPath, [script, path, name], { input: JSON.stringify(argument) });
  return JSON.parse(printed.slice(printed.lastIndexOf('\n', printed.length - 2) + 1)).value;
}
