/** Most characters that are reported of what a program said. */
const SHOWN = 600;

/**
 * What kubectl prints of an error since it logs in a structure: `E1123 08:29:28.301255 18656 run.go:72] "command
 * failed" err="…"`.
 */
const logged = /^[EF]\d{4} [\d:.]+ +\d+ \S+\] "[^"]*" err="(.*)"$/;

/**
 * Makes one line of what a program said on standard error before it failed: without its prefixes, its advice about
 * flags that are not here, and the path of `folder`, which is gone by the time somebody reads it. '' where it said
 * nothing.
 */
export function toolWords(lines: readonly string[], folder?: string): string {
  const from = lines.findLastIndex((line) => /^(?:error|Error): /.test(line));
  const words = lines
    .slice(Math.max(0, from))
    .map((line) => line.replace(logged, (_, words: string) => words.replaceAll('\\"', '"').replaceAll('\\n', ' ')))
    .join(' ')
    .replace(/^(?:error|Error): /, '')
    .replace('Use --debug flag to render out invalid YAML', '');
  const placed = folder === undefined ? words : words.replaceAll(`${folder}/`, '').replaceAll(folder, '.');
  return shortened(placed.replace(/\s+/g, ' ').trim());
}

/** Leaves the middle out: an error begins with where it is, and ends with the reason. */
function shortened(words: string): string {
  if (words.length <= SHOWN) return words;
  return `${words.slice(0, SHOWN / 3)} … ${words.slice(-(SHOWN * 2) / 3)}`;
}
