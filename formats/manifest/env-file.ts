/**
 * Tells the lines of an env file that have a name and no `=`, counted from 1. kustomize and kubectl take the value of
 * such a name from the environment of the process that reads the file (`api/kv/kv.go` of kustomize). Lines that are
 * empty or begin with `#` are none.
 */
export function linesWithoutValue(text: string): number[] {
  return text.split('\n').flatMap((line, at) => {
    const plain = (at === 0 ? line.replace(/^\ufeff/, '') : line).trimStart();
    return plain === '' || plain.startsWith('#') || plain.includes('=') ? [] : [at + 1];
  });
}
