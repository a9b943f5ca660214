import { json } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

// Calls a function for `within`: node call.ts MODULE NAME, its argument on stdin. The last line of stdout is the
// result.
const [path = '', name = ''] = process.argv.slice(2);
const exported = await import(pathToFileURL(path).href);
console.log(`\n${JSON.stringify({ value: await exported[name](await json(process.stdin)) })}`);
