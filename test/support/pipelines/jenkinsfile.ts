/** A block of a Jenkinsfile, `HEAD { … }`, or a line of one, which has no body. */
export interface Part {
  readonly head: string;
  readonly body?: readonly Part[];
}

/**
 * Reads a Jenkinsfile that has each statement, and each end of a block, in a line of its own, as those of the docs do.
 * Throws where braces do not match, and for strings in which Groovy would put something else than they say: those with
 * `"` around or `\` inside.
 */
export function partsOf(text: string): readonly Part[] {
  const open: { head: string; body: Part[] }[] = [{ head: '', body: [] }];
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    if (/^[^']*"/.test(line) || line.includes('\\')) throw new Error(`Groovy would change this line: ${line}`);
    const [, short, inner] = /^(\w+) \{ (.*) \}$/.exec(line) ?? [];
    if (line === '}') {
      const { head, body } = open.pop()!;
      if (open.length === 0) throw new Error('there is a } too many');
      open.at(-1)!.body.push({ head, body });
    } else if (short !== undefined) open.at(-1)!.body.push({ head: short, body: [{ head: inner! }] });
    else if (line.endsWith(' {')) open.push({ head: line.slice(0, -2), body: [] });
    else open.at(-1)!.body.push({ head: line });
  }
  if (open.length !== 1) throw new Error(`nothing ends ${open.at(-1)!.head}`);
  return open[0]!.body;
}

/** A `sh` of a Jenkinsfile. */
export interface ShStep {
  readonly stage: string;
  readonly script: string;
  /** Whether its stage is for tags alone. */
  readonly forTags: boolean;
  /** Secret files that it sees: the id of each by the name of its variable. */
  readonly files: Readonly<Record<string, string>>;
}

/** Lists the `sh` steps of all stages, in order. Throws for what it does not know within stages. */
export function shStepsOf(parts: readonly Part[]): readonly ShStep[] {
  return within(parts, 'pipeline', 'stages').flatMap(({ head, body = [] }) => {
    const [, stage] = /^stage\('(\w+)'\)$/.exec(head) ?? [];
    const others = body.filter((part) => part.head !== 'steps' && !isForTags(part));
    if (stage === undefined || others.length > 0)
      throw new Error(`nobody reads: ${[head, ...others.map((one) => one.head)]}`);
    const step = { stage, forTags: body.some(isForTags), script: '', files: {} };
    return within(body, 'steps').flatMap((part) => stepsOf(step, part));
  });
}

/** The parts of the block that is found by the heads of the blocks around it. */
export function within(parts: readonly Part[], ...heads: readonly string[]): readonly Part[] {
  return heads.reduce((found: readonly Part[], head) => {
    const part = found.find((one) => one.head === head);
    if (!part?.body) throw new Error(`there is no ${head}`);
    return part.body;
  }, parts);
}

function isForTags({ head, body = [] }: Part): boolean {
  return head === 'when' && body.length === 1 && body[0]!.head === 'buildingTag()';
}

/** The steps in a part of a stage; `step` has what they have in common. */
function stepsOf(step: ShStep, { head, body }: Part): ShStep[] {
  const [, script] = /^sh '([^']*)'$/.exec(head) ?? [];
  if (script !== undefined && !body) return [{ ...step, script }];
  const [, bindings] = /^withCredentials\(\[(.*)\]\)$/.exec(head) ?? [];
  const binding = /^file\(credentialsId: '([^']+)', variable: '(\w+)'\)$/;
  const bound = bindings?.split(/, (?=\w+\()/).map((one) => binding.exec(one));
  if (!bound || !body || bound.includes(null)) throw new Error(`nobody reads: ${head}`);
  const more = Object.fromEntries(bound.map((one) => [one![2]!, one![1]!]));
  return body.flatMap((part) => stepsOf({ ...step, files: { ...step.files, ...more } }, part));
}
