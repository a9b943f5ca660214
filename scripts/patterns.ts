import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptVerdicts, patternKey, verdictOf, verdictsFile } from '../test/support/architecture/pattern-verdicts.ts';
import { patternsOf } from '../test/support/architecture/patterns.ts';
import { root } from './home.ts';

// Judges the regular expressions of the product that have no verdict yet, and keeps what recheck found: node
// scripts/patterns.ts [--all]. With --all, it judges all of them anew. Verdicts of patterns that are gone are removed.

const kept = process.argv.includes('--all') ? {} : keptVerdicts();
const paths = globSync(['cli/**/*.ts', 'lib/**/*.ts', 'formats/**/*.ts'], { cwd: root }).sort();
const patterns = patternsOf(new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')])));
const verdicts = new Map<string, string>();
let judged = 0;
for (const pattern of patterns) {
  const key = patternKey(pattern);
  if (verdicts.has(key)) continue;
  if (kept[key] === undefined) judged += 1;
  verdicts.set(key, kept[key] ?? verdictOf(pattern));
}
writeFileSync(verdictsFile, `${JSON.stringify(Object.fromEntries([...verdicts].sort()), null, 2)}\n`);
console.log(`patterns: ${verdicts.size} verdicts are kept, ${judged} of them are new`);
